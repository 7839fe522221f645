import type { Pool } from '@earshot/server/platform/database/connect';
import type { RowCopier } from '../../bench/copy-rows.ts';

type Value = string | number | boolean | null | readonly number[];

/** Rows of a table that are sent by COPY. The first column is `key`, in the order of `keys`. */
export interface TableRows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly Value[]>;
}

const rowsOfChunk = 2_000;

export function copyTable(copier: RowCopier, { table, columns, rows }: TableRows): Promise<void> {
  return copier.copy(`copy ${table} (${columns.join(', ')}) from stdin`, inChunks(rows));
}

function* inChunks(rows: Iterable<readonly Value[]>): Generator<string> {
  let lines: string[] = [];
  for (const row of rows) {
    lines.push(`${row.map(written).join('\t')}\n`);
    if (lines.length < rowsOfChunk) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}

function written(value: Value): string {
  if (value === null) return String.raw`\N`;
  if (typeof value === 'object') return `{${value.join(',')}}`;
  return String(value)
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', String.raw`\t`)
    .replaceAll('\n', String.raw`\n`);
}

/** The first of as many keys of a table that nothing else uses. */
export async function takeKeys(db: Pool, table: string, count: number): Promise<number> {
  const [row] = await db.unsafe<{ last: number }[]>(
    `select setval(pg_get_serial_sequence('${table}', 'key'),
       greatest(coalesce((select max(key) from ${table}), 0), nextval(pg_get_serial_sequence('${table}', 'key'))) + ${count}) as last`,
  );
  return row!.last - count + 1;
}
