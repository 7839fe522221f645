import type { Paint } from './paint.ts';
import { safeText } from './safe-text.ts';
import { cutText, padText, textWidth } from './text-width.ts';
import { showShortTime, showTime } from './time.ts';

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string | number | undefined;
  /** For numbers, which are never cut: half a number is another number. */
  readonly align?: 'right';
  /** Columns with this are cut first, the widest of them first; the others are never cut below `leastWidth`. */
  readonly mayShrink?: boolean;
  /** Instead of the value where the table is too wide otherwise. A column with it is never cut. */
  readonly shortValue?: (row: Row) => string;
  readonly paint?: (row: Row, paint: Paint) => (text: string) => string;
}

const gap = 2;
const leastWidth = 8;

interface Shown {
  /** Undefined: nothing is cut. */
  readonly columns: number | undefined;
  readonly paint: Paint;
}

/** A moment, in the zone of this machine; a narrow terminal leaves out the year and the seconds, not the time of day. */
export const timeColumn = <Row>(title: string, msOf: (row: Row) => number | undefined): Column<Row> => ({
  title,
  value: (row) => showTime(msOf(row)),
  shortValue: (row) => showShortTime(msOf(row)),
});

export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { columns: width, paint }: Shown,
): string[] {
  const { cells, kept, widths } = layOut(columns, rows, width);
  const line = (texts: readonly string[], style: (text: string, at: number) => string) =>
    kept
      .map((at, place) => {
        const cut = cutText(texts[at]!, widths[place]!);
        const isLast = place === kept.length - 1;
        const right = columns[at]!.align === 'right';
        const padded = isLast && !right ? cut : padText(cut, widths[place]!, right);
        return padded.replace(cut, () => style(cut, at));
      })
      .join(' '.repeat(gap))
      .trimEnd();
  const header = line(
    columns.map(({ title }) => title),
    (text) => paint.bold(text),
  );
  return [
    header,
    ...cells.map((row, index) => line(row, (text, at) => styled(columns[at]!, rows[index]!, paint, text))),
  ];
}

interface Layout {
  readonly cells: readonly (readonly string[])[];
  /** The columns that are shown; a column without any value says nothing. */
  readonly kept: readonly number[];
  readonly widths: readonly number[];
}

/** Cuts columns that may shrink, then uses short values, then cuts all columns that may be cut, until the table fits. */
function layOut<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width = Infinity): Layout {
  const lay = (isShort: boolean) => {
    const valueOf = (column: Column<Row>, row: Row) =>
      (isShort && column.shortValue ? column.shortValue : column.value)(row);
    const cells = rows.map((row) => columns.map((column) => safeText(String(valueOf(column, row) ?? ''))));
    const kept = columns.map((_column, at) => at).filter((at) => cells.some((row) => row[at] !== ''));
    const natural = kept.map((at) =>
      Math.max(textWidth(columns[at]!.title), ...cells.map((row) => textWidth(row[at]!))),
    );
    const shrinks = kept.map((at) => columns[at]!.mayShrink ?? false);
    return { cells, kept, widths: shrink(natural, shrinks, width) };
  };
  const whole = lay(false);
  if (totalOf(whole.widths) <= width) return whole;
  const { kept, ...short } = lay(true);
  const mayCut = kept.map((at) => columns[at]!.align !== 'right' && columns[at]!.shortValue === undefined);
  return { ...short, kept, widths: shrink(short.widths, mayCut, width) };
}

const styled = <Row>(column: Column<Row>, row: Row, paint: Paint, text: string): string =>
  column.paint ? column.paint(row, paint)(text) : text;

const totalOf = (widths: readonly number[]): number =>
  widths.reduce((sum, each) => sum + each, 0) + gap * (widths.length - 1);

/** Makes the widest of the columns that may shrink narrower, until all fit. */
function shrink(natural: readonly number[], shrinks: readonly boolean[], width: number): number[] {
  const widths = [...natural];
  while (totalOf(widths) > width) {
    const widest = widths.reduce(
      (best, each, at) => (shrinks[at] && each > leastWidth && (best < 0 || each > widths[best]!) ? at : best),
      -1,
    );
    if (widest < 0) break;
    widths[widest]! -= 1;
  }
  return widths;
}
