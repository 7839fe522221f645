import type { CollectionRow } from '@earshot/contract/collection-page';
import { useState } from 'preact/hooks';
import { isDeferred } from '../../lib/deferred.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Empty, UserText, PageHead } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { collectionCounts } from './data.ts';
import { countText } from '../../lib/ui/count-text.ts';
import { CollectionDialog } from './dialog.tsx';

export function CollectionsPage() {
  const collections = useQuery(collectionCounts);
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
                    <CollectionLine key={collection.key} collection={collection} />
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

function CollectionLine({ collection }: { readonly collection: CollectionRow }) {
  const { key, collectionName, collectionDescription, deviceCount, personCount, fileCount } = collection;
  const counts = [
    ...(deviceCount > 0 ? [countText(deviceCount, 'device')] : []),
    ...(personCount > 0 ? [countText(personCount, 'person', 'people')] : []),
    ...(fileCount > 0 ? [countText(fileCount, 'file')] : []),
  ];
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
