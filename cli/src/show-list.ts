import type { Context } from './command.ts';
import type { Column } from './table.ts';

/** Prints a list as a table for people, or a line of JSON for each record. Says on standard error that it is empty. */
export async function showList<Row>(
  { json, output }: Pick<Context<unknown>, 'json' | 'output'>,
  columns: readonly Column<Row>[],
  pages: AsyncIterable<readonly Row[]>,
  empty: string,
): Promise<number> {
  const rows: Row[] = [];
  let count = 0;
  for await (const page of pages) {
    count += page.length;
    if (json) for (const row of page) output.record(row);
    else rows.push(...page);
  }
  if (!json && rows.length > 0) output.table(columns, rows);
  if (!json && rows.length === 0) output.note(empty);
  return count;
}

/** Says that there is more, and how to see it. */
export function noteMore(
  { json, output }: Pick<Context<unknown>, 'json' | 'output'>,
  shown: number,
  most: number,
): void {
  if (!json && shown >= most) output.note(`The first ${most} are shown. Use --limit N or --all for more.`);
}

export async function* onePage<Row>(rows: Promise<readonly Row[]>): AsyncGenerator<readonly Row[]> {
  yield await rows;
}
