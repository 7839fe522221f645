import type { Collection } from '@earshot/contract/collection';
import type { CollectionItem, ItemType } from '@earshot/contract/collection-item';
import { useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { deferAction, isDeferred } from '../../lib/deferred.ts';
import type { PageProps } from '../../lib/lazy-page.tsx';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { navigate } from '../../lib/location.ts';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Empty, UserText, PageHead, Section } from '../../lib/ui/elements.tsx';
import { Menu } from '../../lib/ui/menu.tsx';
import { AddItemDialog } from './add-item-dialog.tsx';
import { mayChangeCollection, mayOwnCollection } from '../right/public.ts';
import { itemsOf, oneCollection, typeOf } from './data.ts';
import { CollectionDialog } from './dialog.tsx';
import { ItemRow } from './item-row.tsx';
import { LanguagesSection } from '../spoken-language/public.tsx';
import { TeamsSection } from '../team/public.tsx';
import { VocabularySection } from '../vocabulary/public.tsx';

export function CollectionPage({ id }: PageProps) {
  const collection = useQuery(oneCollection(id));
  return <WhenLoaded from={collection}>{(data) => <CollectionDetail collection={data} />}</WhenLoaded>;
}

const kinds: readonly {
  readonly type: ItemType;
  readonly title: string;
  readonly add: string;
  readonly none: string;
}[] = [
  { type: 'device', title: 'Devices', add: 'Add a device', none: 'No devices yet.' },
  { type: 'user', title: 'People', add: 'Share with a person', none: 'Not shared with anyone yet.' },
  { type: 'file', title: 'Files', add: 'Add a file', none: 'No files yet. You can share exported recordings here.' },
];

function CollectionDetail({ collection }: { readonly collection: Collection }) {
  const collectionID = collection.key ?? 0;
  const items = useQuery(itemsOf(collectionID));
  const [adding, setAdding] = useState<ItemType | undefined>();
  return (
    <>
      <CollectionHead collection={collection} />
      {kinds.map(({ type, title, add, none }) => {
        const shown = items.data?.filter((item) => typeOf(item) === type && !isDeferred(`item ${item.key}`)) ?? [];
        return (
          <Section
            key={type}
            title={title}
            {...(shown.length > 0 ? { count: shown.length } : {})}
            action={
              mayChangeCollection(collection.key) && (
                <Button small icon="add" onClick={() => setAdding(type)}>
                  {add}
                </Button>
              )
            }
          >
            <WhenLoaded from={items} rows={1}>
              {() => <Items items={shown} none={none} collection={collection} />}
            </WhenLoaded>
          </Section>
        );
      })}
      <TeamsSection collectionID={collectionID} mayEdit={mayChangeCollection(collection.key)} />
      <LanguagesSection scope={{ collectionID }} mayEdit={mayChangeCollection(collection.key)} />
      <VocabularySection title="Vocabulary" scope={{ collectionID }} mayEdit={mayChangeCollection(collection.key)} />
      {adding && (
        <AddItemDialog
          collectionID={collectionID}
          type={adding}
          there={items.data ?? []}
          onClose={() => setAdding(undefined)}
        />
      )}
    </>
  );
}

interface ItemsProps {
  readonly items: readonly CollectionItem[];
  readonly none: string;
  readonly collection: Collection;
}

function Items({ items, none, collection }: ItemsProps) {
  if (items.length === 0) return <Empty>{none}</Empty>;
  return (
    <ul class="rows">
      {items.map((item) => (
        <ItemRow key={item.key} item={item} mayRemove={mayChangeCollection(collection.key)} />
      ))}
    </ul>
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
          mayChangeCollection(collection.key) && (
            <Menu
              label="More actions for this collection"
              items={mayOwnCollection(collection.key) ? [change, removal] : [change]}
            />
          )
        }
      />
      {changing && <CollectionDialog collection={collection} onClose={() => setChanging(false)} />}
    </>
  );
}
