import type { CollectionItemRow } from '@earshot/contract/collection-page';
import { itemSorts } from '@earshot/contract/collection-page';
import type { ItemType } from '@earshot/contract/collection-item';
import { itemTypes } from '@earshot/contract/collection-item';
import { useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { BulkDialog } from '../../lib/bulk/bulk-dialog.tsx';
import { currentLocation, setQuery } from '../../lib/location.ts';
import type { RowsFeed } from '../../lib/table/rows-feed.ts';
import { noSelection } from '../../lib/table/selection.ts';
import { TableView } from '../../lib/table/table-view.tsx';
import type { UsedTable } from '../../lib/table/use-table.ts';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { Empty } from '../../lib/ui/elements.tsx';
import { FilterSelect } from '../../lib/ui/filter.tsx';
import { AddItemsDialog } from './add-items-dialog.tsx';
import { itemColumns, ItemLines } from './item-columns.tsx';

const types = [
  { value: '', label: 'All' },
  { value: 'device', label: 'Devices' },
  { value: 'user', label: 'People' },
  { value: 'file', label: 'Files' },
];
const additions: readonly { readonly type: ItemType; readonly label: string }[] = [
  { type: 'device', label: 'Add devices' },
  { type: 'user', label: 'Share with people' },
  { type: 'file', label: 'Add files' },
];

interface ItemsProps {
  readonly collectionID: number;
  readonly mayChange: boolean;
}

/** Everything in a collection, in one table. */
export function CollectionItems({ collectionID, mayChange }: ItemsProps) {
  const itemType = itemTypes.find((type) => type === currentLocation.value.query.get('type'));
  const [adding, setAdding] = useState<ItemType | undefined>();
  const filter = itemType ? { itemType } : {};
  return (
    <>
      <TableView
        name="collection-items"
        label="Items of the collection"
        columns={itemColumns}
        sorts={itemSorts}
        search="Search by name or serial"
        filters={
          <FilterSelect label="Type" value={itemType ?? ''} options={types} onChange={(type) => setQuery({ type })} />
        }
        filterCount={itemType ? 1 : 0}
        filter={{ collectionID, ...filter }}
        load={(request) => api.listCollectionItemPage({ params: { collectionID }, body: { ...filter, ...request } })}
        kinds={['collection', 'device']}
        nameOf={({ itemName }) => itemName}
        isSelectable={(rows) => rows.some(({ mayRemove }) => mayRemove)}
        lines={(row) => <ItemLines row={row} />}
        countText={(count) => countText(count, 'item')}
        tools={
          mayChange &&
          additions.map(({ type, label }) => (
            <Button key={type} icon="add" onClick={() => setAdding(type)}>
              {label}
            </Button>
          ))
        }
        empty={(isFiltered) =>
          isFiltered ? (
            <Empty icon="search" title="No matching items" />
          ) : (
            <Empty icon="collection" title="Nothing in this collection yet">
              Add devices and recordings, and the people who may see them.
            </Empty>
          )
        }
        bar={(selected, table, feed) => (
          <RemovalBar
            collectionID={collectionID}
            rows={selected.filter(({ mayRemove }) => mayRemove)}
            table={table}
            feed={feed}
          />
        )}
      />
      {adding && <AddItemsDialog collectionID={collectionID} type={adding} onClose={() => setAdding(undefined)} />}
    </>
  );
}

interface RemovalBarProps {
  readonly collectionID: number;
  readonly rows: readonly CollectionItemRow[];
  readonly table: UsedTable<CollectionItemRow>;
  readonly feed: RowsFeed<CollectionItemRow>;
}

function RemovalBar({ collectionID, rows, table, feed }: RemovalBarProps) {
  const [removing, setRemoving] = useState(false);
  const clear = () => table.onSelect(noSelection);
  if (rows.length === 0) return null;
  return (
    <>
      <div class="sticky-bar selection-bar" role="region" aria-label="Selected items">
        <p role="status">{countText(rows.length, 'item')} selected</p>
        <span class="selection-close">
          <Button small kind="quiet" icon="close" label="Clear selection" onClick={clear} />
        </span>
        <div class="selection-actions">
          <Button small icon="less" onClick={() => setRemoving(true)}>
            Remove from the collection
          </Button>
        </div>
      </div>
      {removing && (
        <BulkDialog
          title={`Remove ${countText(rows.length, 'item')} from the collection?`}
          text="The devices and files themselves are kept. Who sees them only through this collection no longer does."
          act="Remove"
          keys={rows.map(({ key }) => key)}
          start={(keys, headers) =>
            api.takeOutItems({ headers, params: { collectionID }, body: { collectionItemIDs: [...keys] } })
          }
          onClose={() => setRemoving(false)}
          onDone={(done) => {
            feed.drop(done);
            clear();
          }}
        />
      )}
    </>
  );
}
