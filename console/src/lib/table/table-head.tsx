import type { DataTableProps } from './data-table.tsx';
import { nextSorting } from './column.ts';
import { noSelection, selectAll } from './selection.ts';

type HeadProps<Row> = Pick<
  DataTableProps<Row>,
  'columns' | 'feed' | 'keyOf' | 'sorting' | 'onSort' | 'selection' | 'onSelect' | 'isSelectable' | 'actions'
> & { readonly isPhone: boolean };

/** The heads of the columns. A click on one sorts by it. */
export function TableHead<Row>(props: HeadProps<Row>) {
  const { columns, feed, keyOf, sorting, onSort, selection, onSelect, isSelectable, isPhone } = props;
  const isAll = feed.rows.length > 0 && selection.keys.size >= feed.rows.length;
  return (
    <div class="table-head" role="rowgroup">
      <div class="table-heads" role="row" aria-rowindex={1}>
        {isSelectable && (
          <span class="table-select" role="columnheader">
            <input
              type="checkbox"
              aria-label="Select all loaded rows"
              checked={isAll}
              ref={(input) => {
                if (input) input.indeterminate = !isAll && selection.keys.size > 0;
              }}
              onClick={() => onSelect(isAll ? noSelection : selectAll(feed.rows.map(keyOf)))}
            />
          </span>
        )}
        {isPhone ? (
          <span class="unseen" role="columnheader">
            All
          </span>
        ) : (
          columns.map((column) => {
            const { name, label, sort, isNumber } = column;
            const isSorted = sort !== undefined && sort === sorting.by;
            const direction = sorting.isDescending ? 'descending' : 'ascending';
            return (
              <span
                key={name}
                class={isNumber ? 'table-cell number' : 'table-cell'}
                role="columnheader"
                {...(sort === undefined ? {} : { 'aria-sort': isSorted ? direction : 'none' })}
              >
                {sort === undefined ? (
                  label
                ) : (
                  <button type="button" class="table-sort" onClick={() => onSort(nextSorting(column, sorting))}>
                    {label}
                    <span aria-hidden="true">{isSorted ? (sorting.isDescending ? '↓' : '↑') : ''}</span>
                  </button>
                )}
              </span>
            );
          })
        )}
        {props.actions && (
          <span class="unseen" role="columnheader">
            Actions
          </span>
        )}
      </div>
    </div>
  );
}
