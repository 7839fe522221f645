import type { ComponentChildren } from 'preact';
import { useCallback, useLayoutEffect, useRef } from 'preact/hooks';
import { useKept } from '../kept.ts';
import { navigate } from '../location.ts';
import type { TableColumn, Sorting } from './column.ts';
import { copyRows } from './copy-rows.ts';
import { toTabs } from './export-rows.ts';
import { fitColumns, selectRem } from './fit-columns.ts';
import type { RowsFeed } from './rows-feed.ts';
import type { RowSelection } from './selection.ts';
import { extendTo, noSelection, selectAll, toggleRow } from './selection.ts';
import { TableHead } from './table-head.tsx';
import type { Density } from './table-settings.ts';
import { phoneScreen, useMedia, useWidthRem, useWindow } from './use-window.ts';

/** What can be done with a row, at its end. */
export interface RowActions<Row> {
  /** In units of the size of text. */
  readonly widthRem: number;
  readonly cell: (row: Row) => ComponentChildren;
}

export interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly feed: RowsFeed<Row>;
  readonly keyOf: (row: Row) => number;
  readonly nameOf: (row: Row) => string;
  /** Where the row leads. */
  readonly hrefOf?: (row: Row) => string;
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
  readonly density: Density;
  readonly selection: RowSelection;
  readonly onSelect: (selection: RowSelection) => void;
  /** Whether rows can be selected. */
  readonly isSelectable: boolean;
  /** Whether the row looks removed: it will be, unless somebody undoes it. */
  readonly isGone?: ((row: Row) => boolean) | undefined;
  readonly actions?: RowActions<Row>;
  /** The two lines of a row on a phone. */
  readonly lines: (row: Row) => ComponentChildren;
  readonly shown: { current: readonly number[] };
}

const heights: Readonly<Record<Density | 'phone', number>> = { comfortable: 44, compact: 32, phone: 64 };
/** Rows that are loaded before they come to the screen. */
const ahead = 60;

/** A table of any length: rows near the screen and the current row are rendered. One stop for the Tab key. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, feed, keyOf, nameOf, hrefOf, selection, onSelect, isSelectable, density, actions } = props;
  const isPhone = useMedia(phoneScreen);
  const table = useRef<HTMLDivElement>(null);
  const columns = fitColumns(props.columns, useWidthRem(table) - (actions?.widthRem ?? 0), isSelectable);
  const body = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useKept<number | undefined>(`current ${label}`, undefined);
  const wantsFocus = useRef(false);
  const rows = props.isGone ? feed.rows.filter((row) => !props.isGone?.(row)) : feed.rows;
  const length = feed.length - (feed.rows.length - rows.length);
  const rowHeight = heights[isPhone ? 'phone' : density];
  const onReach = useCallback((last: number) => void feed.reach(last + ahead), [feed]);
  const window = useWindow(body, length, rowHeight, onReach);
  const keys = rows.map(keyOf);
  props.shown.current = keys.slice(window.first, window.last);
  const found = current === undefined ? -1 : keys.indexOf(current);
  const at = found < 0 ? 0 : found;
  const hadFocus = body.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    // An element that was moved among the others has lost the focus.
    const hasLostFocus = hadFocus && document.activeElement === document.body;
    if (!wantsFocus.current && !hasLostFocus) return;
    wantsFocus.current = false;
    body.current?.querySelector<HTMLElement>(`[aria-rowindex="${at + 2}"]`)?.focus({ preventScroll: true });
  });
  const moveTo = (to: number) => {
    const index = Math.max(0, Math.min(to, length - 1));
    const row = (index < rows.length ? rows : feed.rows)[index];
    if (row === undefined) return;
    const key = keyOf(row);
    reveal(body.current, index, rowHeight);
    wantsFocus.current = true;
    setCurrent(key);
    return key;
  };
  const perScreen = Math.max(1, Math.floor(innerHeight / rowHeight) - 5);
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + perScreen,
    PageUp: at - perScreen,
    Home: 0,
  };
  const press = (event: KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest('input, button, .table-head')) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const to = moves[event.key];
    const row = rows[at];
    if (row === undefined) return;
    const from = keyOf(row);
    if (to !== undefined) {
      const reached = moveTo(to);
      if (event.shiftKey && isSelectable && reached !== undefined) {
        const isStep = Math.abs(to - at) === 1;
        onSelect(
          isStep ? extendTo(selection, from, reached) : toggleRow({ ...selection, anchor: from }, keys, reached, true),
        );
      }
    } else if (event.key === 'End') void feed.reach(length).then(() => moveTo(feed.rows.length - 1));
    else if (event.key === ' ' && isSelectable) onSelect(toggleRow(selection, keys, from, event.shiftKey));
    else if (event.key === 'Enter' && hrefOf) navigate(hrefOf(row));
    else if (event.key === 'Escape' && selection.keys.size > 0) onSelect(noSelection);
    else if (isCommand && event.key.toLowerCase() === 'a' && isSelectable) onSelect(selectAll(keys));
    else if (isCommand && event.key.toLowerCase() === 'c' && String(getSelection()) === '') {
      const chosen = rows.filter((one) => selection.keys.has(keyOf(one)));
      const copied = chosen.length > 0 ? chosen : [row];
      void copyRows(toTabs(columns, copied), copied.length);
    } else return;
    event.preventDefault();
  };
  const template = [
    ...(isSelectable ? [`${selectRem}rem`] : []),
    ...columns.map(({ width }) => width),
    ...(actions ? [`${actions.widthRem}rem`] : []),
  ].join(' ');
  const rendered = rows.slice(window.first, window.last).map((row, index) => ({ row, index: window.first + index }));
  // It keeps the focus while it is away.
  const currentRow = found < 0 ? undefined : rows[found];
  if (currentRow !== undefined && found < window.first) rendered.unshift({ row: currentRow, index: found });
  if (currentRow !== undefined && found >= window.last) rendered.push({ row: currentRow, index: found });
  return (
    <div
      class={`table ${isPhone ? 'phone' : density}`}
      role="grid"
      ref={table}
      aria-label={label}
      aria-rowcount={feed.isExact ? length + 1 : -1}
      aria-colcount={(isPhone ? 1 : columns.length + (isSelectable ? 1 : 0)) + (actions ? 1 : 0)}
      aria-multiselectable={isSelectable}
      style={{ '--table-columns': template, '--table-row': `${rowHeight}px` }}
      onKeyDown={press}
    >
      <TableHead {...props} columns={columns} isPhone={isPhone} />
      <div class="table-body" role="rowgroup" ref={body} style={{ height: `${length * rowHeight}px` }}>
        {rendered.map(({ row, index }) => {
          const key = keyOf(row);
          const isSelected = selection.keys.has(key);
          return (
            <div
              key={key}
              class="table-row"
              role="row"
              aria-rowindex={index + 2}
              {...(isSelectable ? { 'aria-selected': isSelected } : {})}
              tabIndex={index === at ? 0 : -1}
              style={{ top: `${index * rowHeight}px` }}
              onFocus={() => current !== key && setCurrent(key)}
            >
              {isSelectable && (
                <span class="table-select" role="gridcell">
                  <input
                    type="checkbox"
                    tabIndex={-1}
                    aria-label={`Select ${nameOf(row)}`}
                    checked={isSelected}
                    onClick={(event) => onSelect(toggleRow(selection, keys, key, event.shiftKey))}
                  />
                </span>
              )}
              {isPhone ? (
                <div class="table-lines" role="gridcell">
                  {props.lines(row)}
                </div>
              ) : (
                columns.map((column) => (
                  <span key={column.name} class={column.isNumber ? 'table-cell number' : 'table-cell'} role="gridcell">
                    {column.cell(row)}
                  </span>
                ))
              )}
              {actions && (
                <span class="table-actions" role="gridcell">
                  {actions.cell(row)}
                </span>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Bars of the page may cover the edges of the screen. */
const [spaceAbove, spaceBelow] = [64, 96];

function reveal(body: HTMLElement | null, index: number, rowHeight: number): void {
  if (!body) return;
  const top = body.getBoundingClientRect().top + index * rowHeight;
  const over = top - spaceAbove;
  const under = top + rowHeight + spaceBelow - innerHeight;
  if (over < 0) scrollBy({ top: over, behavior: 'instant' });
  else if (under > 0) scrollBy({ top: under, behavior: 'instant' });
}
