import type { Db, Fragment, Pool } from '../../platform/database/connect.ts';
import type { Position } from './position.ts';
import { dropPartitions, isSettled } from '../../platform/changes/partitions.ts';
import type { ChangeKind, ChangeName } from '../../platform/changes/record-changes.ts';

export interface ChangeRow extends Position {
  readonly kind: ChangeKind;
  readonly change: ChangeName;
  readonly recordKey: number;
  readonly deviceID: number | null;
  readonly readers: readonly number[] | null;
}

export interface ChangePage {
  readonly rows: readonly ChangeRow[];
  /** Set if the log was trimmed beyond the requested place: where the trimmed part ends. */
  readonly sweptTo: Position | undefined;
}

const place = (db: Db, { xid, key }: Position): Fragment => db`(${xid}::text::xid8, ${key}::bigint)`;

/**
 * The changes after a place, oldest first. An open transaction delays later changes; none is lost, whenever it commits. The same snapshot decides whether there is a gap, so none goes unnoticed.
 */
export async function readChanges(db: Db, after: Position, most: number): Promise<ChangePage> {
  const found = await db<(Partial<ChangeRow> & { sweptXid: string; sweptKey: number; hasGap: boolean })[]>`
    select s.xid::text as "sweptXid", s.key as "sweptKey", (s.xid, s.key) > ${place(db, after)} as "hasGap", c.*
    from change_sweep s left join lateral (
      select xid::text::bigint as xid, key, kind, change, record_key as "recordKey", device_id as "deviceID", readers
      from changes where (xid, key) > ${place(db, after)} and ${isSettled(db)}
      order by changes.xid, changes.key limit ${most}) c on true`;
  const [first] = found;
  const sweptTo = first?.hasGap ? { xid: Number(first.sweptXid), key: first.sweptKey } : undefined;
  return { rows: found.filter((row): row is ChangeRow & typeof row => typeof row.kind === 'string'), sweptTo };
}

/** The last settled change, after which a new stream begins. */
export async function findEnd(db: Db): Promise<Position> {
  const [row] = await db<{ xid: number; key: number }[]>`
    select xid::text::bigint as xid, key from (
      (select xid, key from changes where ${isSettled(db)} order by xid desc, key desc limit 1)
      union all select xid, key from change_sweep) known
    order by known.xid desc, known.key desc limit 1`;
  return row ?? { xid: 0, key: 0 };
}

/** Whether the log still has all changes after the place. A place ahead of the log comes from another database. */
export async function isKept(db: Db, position: Position): Promise<boolean> {
  const [row] = await db<{ isKept: boolean }[]>`
    select (s.xid, s.key) <= ${place(db, position)}
      and ${position.xid}::text::xid8 < pg_snapshot_xmax(pg_current_snapshot()) as "isKept"
    from change_sweep s`;
  return row?.isKept ?? false;
}

const mostAtOnce = 5_000;

/** Removes changes that are older than this, and records up to which place. */
export async function sweepChanges(db: Pool, keptHours: number): Promise<void> {
  await dropPartitions(db, keptHours);
  let count = mostAtOnce;
  while (count === mostAtOnce) {
    const rows = await db`
      with oldest as (select xid, key, change_date from changes_default where ${isSettled(db)} order by xid, key limit ${mostAtOnce}),
      gone as (
        delete from changes_default c using oldest o
        where c.xid = o.xid and c.key = o.key and o.change_date < now() - make_interval(hours => ${keptHours})
        returning c.xid, c.key),
      last as (select xid, key from gone order by xid desc, key desc limit 1),
      noted as (
        update change_sweep s set xid = last.xid, key = last.key from last where (s.xid, s.key) < (last.xid, last.key))
      select 1 from gone`;
    count = rows.length;
  }
}

/**
 * Transaction numbers start again in a database that was restored from a dump. Changes with higher numbers come from
 * the former database and would hide new ones.
 */
export async function forgetFormerDatabase(db: Db): Promise<void> {
  await db`delete from changes where xid >= pg_snapshot_xmax(pg_current_snapshot())`;
  await db`update change_sweep set xid = '0', key = 0 where xid >= pg_snapshot_xmax(pg_current_snapshot())`;
}
