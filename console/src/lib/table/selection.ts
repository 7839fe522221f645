/** Which rows of a list are selected. A range extends from the anchor, the row that was last selected alone. */
export interface RowSelection {
  readonly keys: ReadonlySet<number>;
  readonly anchor: number | undefined;
}

export const noSelection: RowSelection = { keys: new Set(), anchor: undefined };

export const selectAll = (keys: readonly number[]): RowSelection => ({ keys: new Set(keys), anchor: undefined });

/** Selects or deselects a row; with `isRange` all rows from the anchor to it. */
export function toggleRow(
  selection: RowSelection,
  order: readonly number[],
  key: number,
  isRange: boolean,
): RowSelection {
  const isOn = !selection.keys.has(key);
  const from = isRange && selection.anchor !== undefined ? order.indexOf(selection.anchor) : -1;
  const to = order.indexOf(key);
  const these = from < 0 ? [key] : order.slice(Math.min(from, to), Math.max(from, to) + 1);
  const keys = new Set(selection.keys);
  for (const each of these) {
    if (isOn || from >= 0) keys.add(each);
    else keys.delete(each);
  }
  return { keys, anchor: key };
}

/** Moving with Shift selects the row that is left and the row that is reached; moving back deselects. */
export function extendTo(selection: RowSelection, from: number, to: number): RowSelection {
  const keys = new Set(selection.keys);
  const isBack = keys.has(from) && keys.has(to);
  if (isBack) keys.delete(from);
  else keys.add(from).add(to);
  return { keys, anchor: to };
}
