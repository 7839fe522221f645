import type { Client } from 'pg';
import type { SavedSequence } from './format.ts';

/** A name as SQL writes it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export interface TableColumns {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The tables of the schema and their columns, without those that PostgreSQL computes. Partitions belong to their table. */
export async function listTables(client: Client): Promise<TableColumns[]> {
  const { rows } = await client.query<TableColumns>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname order by c.relname`);
  return rows;
}

/** The sequences of identity columns. */
export async function listSequences(client: Client): Promise<SavedSequence[]> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(`
    select t.relname as table, a.attname as column, s.oid::regclass::text as sequence
    from pg_class s
    join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype in ('i', 'a')
    join pg_class t on t.oid = d.refobjid
    join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    where s.relkind = 'S' and s.relnamespace = current_schema()::regnamespace
    order by 1, 2`);
  const sequences: SavedSequence[] = [];
  for (const { table, column, sequence } of rows) {
    const { rows: state } = await client.query<{ last: string | null }>(
      `select case when is_called then last_value::text end as last from ${sequence}`,
    );
    sequences.push({ table, column, last: state[0]?.last ?? null });
  }
  return sequences;
}

export async function setSequence(client: Client, { table, column, last }: SavedSequence): Promise<void> {
  if (last === null) return;
  await client.query('select setval(pg_get_serial_sequence($1, $2), $3::bigint)', [quoted(table), column, last]);
}

export interface Dropped {
  readonly drop: string;
  readonly create: string;
}

/**
 * Foreign keys and indexes without a constraint: rows are loaded in any order, and faster, without them. PostgreSQL
 * writes ONLY in the definition of a partitioned index, which would leave its partitions without.
 */
export async function listLoadHindrances(client: Client): Promise<Dropped[]> {
  const { rows: keys } = await client.query<Dropped>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
    from pg_constraint
    where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0
    order by conrelid::regclass::text, conname`);
  const { rows: indexes } = await client.query<Dropped>(`
    select format('drop index %s', i.indexrelid::regclass) as drop, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as create
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = current_schema()::regnamespace and not c.relispartition
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
    order by i.indexrelid::regclass::text`);
  // Foreign keys refer to unique indexes, so they go first and come last.
  return [...keys, ...indexes];
}
