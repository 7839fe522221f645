import type { ComponentChildren } from 'preact';
import { errorMessage } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Empty, Skeleton } from '../ui/elements.tsx';
import type { DataTableProps } from './data-table.tsx';
import { DataTable } from './data-table.tsx';
import type { UsedTable } from './use-table.ts';

type CardProps<Row> = Pick<
  DataTableProps<Row>,
  'label' | 'feed' | 'keyOf' | 'nameOf' | 'hrefOf' | 'isSelectable' | 'isGone' | 'actions' | 'lines'
> & {
  readonly table: UsedTable<Row>;
  /** `2,000 devices`. */
  readonly countText: (count: number) => string;
  readonly empty: ComponentChildren;
};

/** The rows of a table with their number, or why there are none. */
export function TableCard<Row>({ table, countText, empty, feed, ...of }: CardProps<Row>) {
  const { settings, sorting, onSort, selection, onSelect, shown } = table;
  if (!feed.isLoaded) {
    if (feed.error === undefined) return <Skeleton rows={8} />;
    const again = <Button onClick={() => void feed.reload()}>Try again</Button>;
    return (
      <Empty icon="alert" title="Could not load the list" action={again}>
        {errorMessage(feed.error)}
      </Empty>
    );
  }
  const total = feed.total - feed.rows.filter((row) => of.isGone?.(row) ?? false).length;
  return (
    <>
      <p class="found-count list-count" role="status">
        {feed.isExact ? countText(total) : `More than ${countText(total)}`}
      </p>
      <div class="card">
        {total === 0 ? (
          empty
        ) : (
          <DataTable
            {...of}
            feed={feed}
            columns={settings.shown}
            density={settings.density}
            sorting={sorting}
            onSort={onSort}
            selection={selection}
            onSelect={onSelect}
            shown={shown}
          />
        )}
      </div>
      {feed.error !== undefined && (
        <p class="problem" role="alert">
          {errorMessage(feed.error)}
        </p>
      )}
    </>
  );
}
