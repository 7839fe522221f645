import { useState } from 'preact/hooks';
import { errorMessage } from '../api.ts';
import { navigate } from '../location.ts';
import { saveFile } from '../save-file.ts';
import { showToast } from '../toasts.ts';
import { Button } from '../ui/button.tsx';
import { countText } from '../ui/count-text.ts';
import { FilterSelect } from '../ui/filter.tsx';
import { Menu } from '../ui/menu.tsx';
import { copyRows } from './copy-rows.ts';
import { toCsv, toTabs } from './export-rows.ts';
import type { RowsFeed } from './rows-feed.ts';
import { TableDialog } from './table-dialog.tsx';
import type { TableSettings } from './table-settings.ts';
import type { UsedTable } from './use-table.ts';

interface ToolsProps<Row> {
  readonly table: UsedTable<Row>;
  readonly feed: RowsFeed<Row>;
}

/** A table is exported as far as it is counted. */
const mostExported = 10_000;

/** Saved views, columns, and copies of all rows. */
export function TableTools<Row>({ table, feed }: ToolsProps<Row>) {
  const [isOpen, setOpen] = useState(false);
  const { settings, name } = table;
  const { views, shown } = settings;
  const address = new URLSearchParams(location.search).toString();
  const withAll = async (act: (rows: readonly Row[]) => unknown) => {
    await feed.reach(mostExported);
    if (feed.error === undefined) await act(feed.rows.slice(0, mostExported));
    else showToast(errorMessage(feed.error), { tone: 'bad' });
  };
  const copy = () => withAll((rows) => copyRows(toTabs(shown, rows), rows.length));
  const exportAll = () =>
    withAll((rows) => {
      saveFile(new Blob(['\uFEFF', toCsv(shown, rows)], { type: 'text/csv' }), `${name}.csv`);
      if (!feed.isWhole)
        showToast(`The file has the first ${countText(rows.length, 'row')}. Filter the list for others.`);
    });
  const change = (changes: Partial<TableSettings>): void => {
    settings.change?.(changes).catch((error: unknown) => void showToast(errorMessage(error), { tone: 'bad' }));
  };
  return (
    <div class="table-tools">
      {views.length > 0 && (
        <FilterSelect
          label="View"
          bare
          value={views.find(({ query }) => query === address)?.name ?? ''}
          options={[{ value: '', label: 'Views' }, ...views.map((view) => ({ value: view.name, label: view.name }))]}
          onChange={(chosen) => {
            const view = views.find((one) => one.name === chosen);
            navigate(`${location.pathname}${view?.query ? `?${view.query}` : ''}`);
            if (view) change({ columns: view.columns });
          }}
        />
      )}
      <Button icon="settings" onClick={() => setOpen(true)}>
        Columns
      </Button>
      <Menu
        label="Copy or export the list"
        items={[
          { label: 'Copy all rows', icon: 'copy', onSelect: () => void copy() },
          { label: 'Export all rows (CSV)', icon: 'download', onSelect: () => void exportAll() },
        ]}
      />
      {isOpen && <TableDialog table={table} address={address} onChange={change} onClose={() => setOpen(false)} />}
    </div>
  );
}
