import type { TableColumn } from './column.ts';

const gapRem = 0.75;
const sidesRem = 2;
export const selectRem = 2.25;

/** The least width of a track: `minmax(9rem, 2fr)` or `8.5rem`. */
const leastRem = (track: string): number => Number(/[\d.]+(?=rem)/.exec(track)?.[0] ?? 0);

/** The columns that fit into a width, from the first on; those that cannot be hidden always. */
export function fitColumns<Row>(
  columns: readonly TableColumn<Row>[],
  widthRem: number,
  isSelectable: boolean,
): readonly TableColumn<Row>[] {
  let left = widthRem - sidesRem - (isSelectable ? selectRem + gapRem : 0);
  let isFull = false;
  return columns.filter(({ width, isFixed }) => {
    const needed = leastRem(width) + gapRem;
    if (!isFixed && (isFull || needed > left)) {
      isFull = true;
      return false;
    }
    left -= needed;
    return true;
  });
}
