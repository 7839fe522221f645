import { useRef } from 'preact/hooks';
import { useKept } from '../kept.ts';
import { currentLocation, setQuery } from '../location.ts';
import type { TableColumn, Sorting } from './column.ts';
import { readSorting, writeSorting } from './column.ts';
import type { RowSelection } from './selection.ts';
import { noSelection } from './selection.ts';
import type { UsedSettings } from './table-settings.ts';
import { useTableSettings } from './table-settings.ts';

export interface UsedTable<Row> {
  readonly name: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
  readonly settings: UsedSettings<Row>;
  readonly selection: RowSelection;
  readonly onSelect: (selection: RowSelection) => void;
  /** Keys of the rows on the screen. */
  readonly shown: { current: readonly number[] };
}

/** What a table keeps: its order in the address, its columns on the server, its selection for the entry of the history. */
export function useTable<Row>(name: string, columns: readonly TableColumn<Row>[], usual: Sorting): UsedTable<Row> {
  const sorting = readSorting(currentLocation.value.query.get('sort'), columns, usual);
  const settings = useTableSettings(name, columns);
  const [selection, onSelect] = useKept<RowSelection>(`selection ${name}`, noSelection);
  const shown = useRef<readonly number[]>([]);
  const onSort = (next: Sorting) => {
    const written = writeSorting(next);
    setQuery({ sort: written === writeSorting(usual) ? '' : written });
  };
  return { name, columns, sorting, onSort, settings, selection, onSelect, shown };
}
