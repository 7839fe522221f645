import type { Paint } from './paint.ts';
import { safeText } from './safe-text.ts';
import { cutText, padText, textWidth } from './text-width.ts';

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string | number | undefined;
  readonly align?: 'right';
  /** Columns with this are cut first, the widest of them first; the others are never cut below `leastWidth`. */
  readonly mayShrink?: boolean;
  readonly paint?: (row: Row, paint: Paint) => (text: string) => string;
}

const gap = 2;
const leastWidth = 8;

interface Shown {
  /** Undefined: nothing is cut. */
  readonly columns: number | undefined;
  readonly paint: Paint;
}

export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { columns: width, paint }: Shown,
): string[] {
  const cells = rows.map((row) => columns.map((column) => safeText(String(column.value(row) ?? ''))));
  // A column without any value says nothing.
  const kept = columns.map((_column, at) => at).filter((at) => cells.some((row) => row[at] !== ''));
  const natural = kept.map((at) => Math.max(textWidth(columns[at]!.title), ...cells.map((row) => textWidth(row[at]!))));
  const widths =
    width === undefined
      ? natural
      : fit(
          natural,
          kept.map((at) => columns[at]!.mayShrink ?? false),
          width,
        );
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

const styled = <Row>(column: Column<Row>, row: Row, paint: Paint, text: string): string =>
  column.paint ? column.paint(row, paint)(text) : text;

/** Makes the widest of the columns that may shrink narrower, until all fit. */
function fit(natural: readonly number[], mayShrink: readonly boolean[], width: number): number[] {
  const widths = [...natural];
  const total = () => widths.reduce((sum, each) => sum + each, 0) + gap * (widths.length - 1);
  for (const shrinks of [mayShrink, widths.map(() => true)]) {
    while (total() > width) {
      const widest = widths.reduce(
        (best, each, at) => (shrinks[at] && each > leastWidth && (best < 0 || each > widths[best]!) ? at : best),
        -1,
      );
      if (widest < 0) break;
      widths[widest]! -= 1;
    }
  }
  return widths;
}
