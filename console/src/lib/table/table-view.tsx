import type { LiveKind } from '@earshot/contract/live-change';
import type { ComponentChildren } from 'preact';
import { currentLocation, setQuery } from '../location.ts';
import { SearchField } from '../ui/search-field.tsx';
import type { TableColumn } from './column.ts';
import { FilterBar } from './filter-bar.tsx';
import type { RowActions } from './data-table.tsx';
import type { RowsFeed, PageRequest, TablePage } from './rows-feed.ts';
import { TableCard } from './table-card.tsx';
import { TableTools } from './table-tools.tsx';
import type { RowsOf } from './use-rows.ts';
import { useRows } from './use-rows.ts';
import type { UsedTable } from './use-table.ts';
import { useTable } from './use-table.ts';

/** What every page of rows is asked for. */
export interface SortedRequest<Sort extends string> extends PageRequest {
  readonly sortBy: Sort;
  readonly order: string;
  readonly searchText?: string;
}

interface Keyed {
  readonly key: number;
}

export interface TableViewProps<Row extends Keyed, Sort extends string> extends Pick<
  RowsOf<Row>,
  'rowKinds' | 'loadRows' | 'follow' | 'reloadedWith'
> {
  /** In stored settings and in the entry of the history. */
  readonly name: string;
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  /** The first is the usual one. */
  readonly sorts: readonly [Sort, ...Sort[]];
  readonly isUsuallyDescending?: boolean;
  readonly search?: string;
  /** The filters besides the search, and how many are set. */
  readonly filters?: ComponentChildren;
  readonly filterCount?: number;
  /** Another filter begins another list. */
  readonly filter?: object;
  readonly load: (request: SortedRequest<Sort>) => Promise<TablePage<Row>>;
  readonly kinds?: readonly LiveKind[];
  readonly nameOf: (row: Row) => string;
  readonly hrefOf?: (row: Row) => string;
  readonly isGone?: (row: Row) => boolean;
  readonly isSelectable?: boolean | ((rows: readonly Row[]) => boolean);
  readonly actions?: RowActions<Row>;
  readonly lines: (row: Row) => ComponentChildren;
  readonly countText: (count: number) => string;
  /** `isFiltered`: rows may be missing because of the search or a filter. */
  readonly empty: (isFiltered: boolean) => ComponentChildren;
  /** Buttons beside the filters. */
  readonly tools?: ComponentChildren;
  /** What can be done with the selected rows. */
  readonly bar?: (selected: readonly Row[], table: UsedTable<Row>, feed: RowsFeed<Row>) => ComponentChildren;
}

const keyOf = ({ key }: Keyed): number => key;

/** A list as a table: search, filters and order in the address, columns and rows. */
export function TableView<Row extends Keyed, Sort extends string>(props: TableViewProps<Row, Sort>) {
  const { name, label, columns, sorts, search, filter = {}, filters, filterCount = 0, isSelectable = false } = props;
  const find = search === undefined ? '' : (currentLocation.value.query.get('find') ?? '');
  const table = useTable(name, columns, { by: sorts[0], isDescending: props.isUsuallyDescending ?? false });
  const { by, isDescending } = table.sorting;
  const sorted = {
    sortBy: sorts.find((sort) => sort === by) ?? sorts[0],
    order: isDescending ? 'desc' : 'asc',
    ...(find === '' ? {} : { searchText: find }),
  };
  const feed = useRows<Row>(
    {
      name,
      filter: { ...sorted, ...filter },
      keyOf,
      load: (page) => props.load({ ...sorted, ...page }),
      kinds: props.kinds ?? [],
      ...(props.rowKinds ? { rowKinds: props.rowKinds } : {}),
      ...(props.loadRows ? { loadRows: props.loadRows } : {}),
      ...(props.follow ? { follow: props.follow } : {}),
      ...(props.reloadedWith ? { reloadedWith: props.reloadedWith } : {}),
    },
    table.shown,
  );
  const selected = feed.rows.filter((row) => table.selection.keys.has(row.key));
  return (
    <>
      <div class="toolbar">
        {search !== undefined && (
          <SearchField
            label={search}
            value={find}
            focused={currentLocation.value.query.has('find')}
            onSearch={(text) => setQuery({ find: text })}
          />
        )}
        {filters && <FilterBar count={filterCount}>{filters}</FilterBar>}
        {props.tools}
        <TableTools table={table} feed={feed} />
      </div>
      <TableCard
        label={label}
        table={table}
        feed={feed}
        keyOf={keyOf}
        nameOf={props.nameOf}
        isSelectable={typeof isSelectable === 'boolean' ? isSelectable : isSelectable(feed.rows)}
        isGone={props.isGone}
        lines={props.lines}
        countText={props.countText}
        empty={props.empty(find !== '' || filterCount > 0)}
        {...(props.hrefOf ? { hrefOf: props.hrefOf } : {})}
        {...(props.actions ? { actions: props.actions } : {})}
      />
      {selected.length > 0 && props.bar?.(selected, table, feed)}
    </>
  );
}
