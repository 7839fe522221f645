import type { Collection } from '@earshot/contract/collection';
import type { CollectionItem, ItemType } from '@earshot/contract/collection-item';
import { useState } from 'preact/hooks';
import { isDeferred } from '../../lib/deferred.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Empty, UserText, PageHead } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { allItems, typeOf, allCollections } from './data.ts';
import { CollectionDialog } from './dialog.tsx';

export function CollectionsPage() {
  const collections = useQuery(allCollections);
  const { data: items = [] } = useQuery(allItems);
  const [making, setMaking] = useState(false);
  return (
    <>
      <PageHead
        title="Collections"
        actions={
          <Button kind="primary" icon="add" onClick={() => setMaking(true)}>
            Create collection
          </Button>
        }
      />
      <div class="card">
        <WhenLoaded from={collections}>
          {(list) =>
            list.length === 0 ? (
              <Empty icon="collection" title="No collections yet">
                A collection contains devices, files, and the people who can access them. A preset can run on every
                device in a collection.
              </Empty>
            ) : (
              <ul class="rows">
                {list
                  .filter(({ key }) => !isDeferred(`collection ${key}`))
                  .map((collection) => (
                    <CollectionRow
                      key={collection.key}
                      collection={collection}
                      items={items.filter(({ collectionID }) => collectionID === collection.key)}
                    />
                  ))}
              </ul>
            )
          }
        </WhenLoaded>
      </div>
      {making && <CollectionDialog onClose={() => setMaking(false)} />}
    </>
  );
}

interface CollectionRowProps {
  readonly collection: Collection;
  readonly items: readonly CollectionItem[];
}

const counted: Readonly<Record<ItemType, readonly [one: string, many: string]>> = {
  device: ['device', 'devices'],
  user: ['person', 'people'],
  file: ['file', 'files'],
};

function CollectionRow({ collection, items }: CollectionRowProps) {
  const { key, collectionName, collectionDescription } = collection;
  const counts = (Object.keys(counted) as ItemType[]).flatMap((type) => {
    const count = items.filter((item) => typeOf(item) === type).length;
    return count === 0 ? [] : [`${count} ${counted[type][count === 1 ? 0 : 1]}`];
  });
  return (
    <li class="row">
      <a class="row-link" href={`/collections/${key}`}>
        <span class="row-icon">
          <Icon name="collection" />
        </span>
        <span class="row-main">
          <span class="row-title">
            <UserText text={collectionName} />
          </span>
          <span class="row-under">
            <span>{counts.join(', ') || 'Empty'}</span>
            {collectionDescription && <UserText text={collectionDescription} />}
          </span>
        </span>
        <Icon name="next" />
      </a>
    </li>
  );
}
