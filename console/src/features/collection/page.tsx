import type { Collection } from '@earshot/contract/collection';
import { deleteCollection, updateCollection } from '@earshot/contract/collection';
import { addCollectionItem } from '@earshot/contract/collection-item';
import { useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { deferAction } from '../../lib/deferred.ts';
import type { PageProps } from '../../lib/lazy-page.tsx';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { currentLocation, navigate } from '../../lib/location.ts';
import { useQuery } from '../../lib/query.ts';
import { PageHead, UserText } from '../../lib/ui/elements.tsx';
import { Menu } from '../../lib/ui/menu.tsx';
import { Tabs } from '../../lib/ui/tabs.tsx';
import { may } from '../right/public.ts';
import { oneCollection } from './data.ts';
import { CollectionDialog } from './dialog.tsx';
import { CollectionItems } from './items.tsx';
import { LanguagesSection } from '../spoken-language/public.tsx';
import { TeamsSection } from '../team/public.tsx';
import { VocabularySection } from '../vocabulary/public.tsx';

export function CollectionPage({ id }: PageProps) {
  const collection = useQuery(oneCollection(id));
  return <WhenLoaded from={collection}>{(data) => <CollectionDetail collection={data} />}</WhenLoaded>;
}

const tabs = [
  { value: 'items', label: 'Items' },
  { value: 'words', label: 'Languages and vocabulary' },
] as const;

function CollectionDetail({ collection }: { readonly collection: Collection }) {
  const collectionID = collection.key ?? 0;
  const mayChange = may(addCollectionItem, { collectionID });
  const isWords = currentLocation.value.query.get('tab') === 'words';
  const address = (tab: string) => `/collections/${collectionID}${tab === 'words' ? '?tab=words' : ''}`;
  return (
    <>
      <CollectionHead collection={collection} />
      <Tabs label="Collection" tabs={tabs} current={isWords ? 'words' : 'items'} href={address} />
      {isWords ? (
        <>
          <LanguagesSection scope={{ collectionID }} mayEdit={mayChange} />
          <VocabularySection title="Vocabulary" scope={{ collectionID }} mayEdit={mayChange} />
        </>
      ) : (
        <>
          <CollectionItems collectionID={collectionID} mayChange={mayChange} />
          <TeamsSection collectionID={collectionID} mayEdit={mayChange} />
        </>
      )}
    </>
  );
}

function CollectionHead({ collection }: { readonly collection: Collection }) {
  const { key: collectionID = 0, collectionName = '', collectionDescription, memberAccess } = collection;
  const [changing, setChanging] = useState(false);
  const remove = () => {
    deferAction(`collection ${collectionID}`, `${collectionName} is deleted. Its devices and files are kept.`, () =>
      api.deleteCollection({ params: { collectionID } }),
    );
    navigate('/collections');
  };
  const change = { label: 'Edit', icon: 'settings', onSelect: () => setChanging(true) } as const;
  const removal = { label: 'Delete', icon: 'trash', danger: true, onSelect: remove } as const;
  return (
    <>
      <PageHead
        back={{ href: '/collections', label: 'Collections' }}
        title={<UserText text={collectionName} />}
        under={
          <>
            <span>{memberAccess === 'write' ? 'People have write access' : 'People have read access'}</span>
            {collectionDescription && <UserText text={collectionDescription} />}
          </>
        }
        actions={
          may(updateCollection, { collectionID }) && (
            <Menu
              label="More actions for this collection"
              items={may(deleteCollection, { collectionID }) ? [change, removal] : [change]}
            />
          )
        }
      />
      {changing && <CollectionDialog collection={collection} onClose={() => setChanging(false)} />}
    </>
  );
}
