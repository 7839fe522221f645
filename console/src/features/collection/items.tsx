import type { CollectionItemRow, ItemSort } from '@earshot/contract/collection-page';
import { itemSorts } from '@earshot/contract/collection-page';
import type { ItemType } from '@earshot/contract/collection-item';
import { itemTypes } from '@earshot/contract/collection-item';
import { useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { currentLocation, setQuery } from '../../lib/location.ts';
import { BulkDialog } from '../../lib/table/bulk-dialog.tsx';
import { FilterBar } from '../../lib/table/filter-bar.tsx';
import { noSelection } from '../../lib/table/selection.ts';
import { TableCard } from '../../lib/table/table-card.tsx';
import { TableTools } from '../../lib/table/table-tools.tsx';
import { useRows } from '../../lib/table/use-rows.ts';
import { useTable } from '../../lib/table/use-table.ts';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { Empty } from '../../lib/ui/elements.tsx';
import { FilterSelect } from '../../lib/ui/filter.tsx';
import { SearchField } from '../../lib/ui/search-field.tsx';
import { AddItemsDialog } from './add-items-dialog.tsx';
import { itemColumns, ItemLines } from './item-columns.tsx';

const keyOf = ({ key }: CollectionItemRow): number => key;
const usualSorting = { by: 'itemName', isDescending: false };
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
  const { query } = currentLocation.value;
  const searchText = query.get('find') ?? '';
  const itemType = itemTypes.find((type) => type === query.get('type'));
  const [adding, setAdding] = useState<ItemType | undefined>();
  const [removing, setRemoving] = useState(false);
  const table = useTable('collection-items', itemColumns, usualSorting);
  const { sorting } = table;
  const filter = {
    ...(searchText === '' ? {} : { searchText }),
    ...(itemType ? { itemType } : {}),
    sortBy: itemSorts.find((sort) => sort === sorting.by) ?? ('itemName' satisfies ItemSort),
    order: sorting.isDescending ? 'desc' : 'asc',
  };
  const feed = useRows<CollectionItemRow>(
    {
      name: 'items',
      filter: { collectionID, ...filter },
      keyOf,
      load: (page) => api.listCollectionItemPage({ params: { collectionID }, body: { ...filter, ...page } }),
      kinds: ['collection', 'device'],
    },
    table.shown,
  );
  const removable = feed.rows.filter((row) => table.selection.keys.has(keyOf(row)) && row.mayRemove);
  const isFiltered = searchText !== '' || itemType !== undefined;
  return (
    <>
      <div class="toolbar">
        <SearchField label="Search by name or serial" value={searchText} onSearch={(find) => setQuery({ find })} />
        <FilterBar count={itemType ? 1 : 0}>
          <FilterSelect label="Type" value={itemType ?? ''} options={types} onChange={(type) => setQuery({ type })} />
        </FilterBar>
        {mayChange &&
          additions.map(({ type, label }) => (
            <Button key={type} icon="add" onClick={() => setAdding(type)}>
              {label}
            </Button>
          ))}
        <TableTools table={table} feed={feed} />
      </div>
      <TableCard
        label="Items of the collection"
        table={table}
        feed={feed}
        keyOf={keyOf}
        nameOf={({ itemName }) => itemName}
        isSelectable={feed.rows.some(({ mayRemove }) => mayRemove)}
        lines={(row) => <ItemLines row={row} />}
        countText={(count) => countText(count, 'item')}
        empty={
          isFiltered ? (
            <Empty icon="search" title="No matching items" />
          ) : (
            <Empty icon="collection" title="Nothing in this collection yet">
              Add devices and recordings, and the people who may see them.
            </Empty>
          )
        }
      />
      {removable.length > 0 && (
        <div class="sticky-bar selection-bar" role="region" aria-label="Selected items">
          <p role="status">{countText(removable.length, 'item')} selected</p>
          <span class="selection-close">
            <Button
              small
              kind="quiet"
              icon="close"
              label="Clear selection"
              onClick={() => table.onSelect(noSelection)}
            />
          </span>
          <div class="selection-actions">
            <Button small icon="less" onClick={() => setRemoving(true)}>
              Remove from the collection
            </Button>
          </div>
        </div>
      )}
      {removing && (
        <BulkDialog
          title={`Remove ${countText(removable.length, 'item')} from the collection?`}
          text="The devices and files themselves are kept. Who sees them only through this collection no longer does."
          act="Remove"
          items={removable.map((row) => ({ key: keyOf(row), name: row.itemName }))}
          send={(collectionItemID) => api.removeCollectionItem({ params: { collectionItemID } })}
          onClose={() => setRemoving(false)}
          onDone={(done) => {
            feed.drop(done);
            table.onSelect(noSelection);
          }}
        />
      )}
      {adding && <AddItemsDialog collectionID={collectionID} type={adding} onClose={() => setAdding(undefined)} />}
    </>
  );
}
