import type { Db } from '@earshot/server/platform/database/connect';

/* Which changes of the schema the code of the version before would notice: what it names is gone, or its inserts fail. */

interface Column {
  readonly type: string;
  /** Whether an insert that does not name the column fails. */
  readonly isRequired: boolean;
}

/** By `table.column`. Partitions belong to their table. */
export type Schema = ReadonlyMap<string, Column>;

export async function readSchema(db: Db): Promise<Schema> {
  const rows = await db<(Column & { name: string })[]>`
    select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull and not a.atthasdef and a.attidentity = '' as "isRequired"
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped`;
  return new Map(rows.map(({ name, type, isRequired }) => [name, { type, isRequired }]));
}

const tableOf = (name: string): string => name.slice(0, name.indexOf('.'));

/** One sentence for each change that the code before would notice. */
export function findBreakingChanges(before: Schema, after: Schema): string[] {
  const tables = new Set([...before.keys()].map(tableOf));
  const gone = [...before].flatMap(([name, column]) => {
    const now = after.get(name);
    if (!now) return [`${name} is gone`];
    if (now.type !== column.type) return [`${name} has the type ${now.type} instead of ${column.type}`];
    return now.isRequired && !column.isRequired ? [`${name} became required`] : [];
  });
  const added = [...after].flatMap(([name, { isRequired }]) =>
    !before.has(name) && tables.has(tableOf(name)) && isRequired ? [`${name} is new and required`] : [],
  );
  return [...gone, ...added];
}

/** A migration that removes what an earlier release made superfluous begins with `-- Contract of 0035, released in 0.2.0`. */
export function readContract(sql: string): { readonly migration: number; readonly release: string } | undefined {
  const found = /^-- Contract of (\d{4}), released in (\d+\.\d+\.\d+)\b/.exec(sql);
  return found ? { migration: Number(found[1]), release: found[2] ?? '' } : undefined;
}
