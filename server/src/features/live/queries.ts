import type { Db, Fragment, Pool } from '../../platform/database/connect.ts';
import type { Position } from './position.ts';
import { findOthers, firstOpen } from '../../platform/changes/open-transactions.ts';
import { dropPartitions } from '../../platform/changes/partitions.ts';
import type { LiveOutcome } from '@earshot/contract/live-change';
import type { ChangeKind, ChangeName } from '../../platform/changes/record-changes.ts';

export interface ChangeRow extends Position {
  readonly kind: ChangeKind;
  readonly change: ChangeName;
  readonly recordKey: number;
  readonly deviceID: number | null;
  readonly readers: readonly number[] | null;
  readonly outcome: LiveOutcome | null;
  /** When the transaction of the change began. */
  readonly atMs: number;
}

export interface ChangePage {
  readonly rows: readonly ChangeRow[];
  /** Set if the log was trimmed beyond the requested place: where the trimmed part ends. */
  readonly sweptTo: Position | undefined;
  /** The open transaction that further changes wait for: it may still add one before them. */
  readonly waitsFor: number | undefined;
}

const place = (db: Db, { xid, key }: Position): Fragment => db`(${xid}::text::xid8, ${key}::bigint)`;

/**
 * The changes after a place, oldest first. An open transaction delays later changes; none is lost, whenever it commits. The same snapshot decides whether there is a gap, so none goes unnoticed.
 */
export async function readChanges(
  db: Db,
  after: Position,
  others: readonly number[],
  most: number,
): Promise<ChangePage> {
  const found = await db<
    (Partial<ChangeRow> & { sweptXid: string; sweptKey: number; hasGap: boolean; firstOpen: number })[]
  >`
    select s.xid::text as "sweptXid", s.key as "sweptKey", (s.xid, s.key) > ${place(db, after)} as "hasGap",
      (${firstOpen(db, others)})::text::bigint as "firstOpen", c.*
    from change_sweep s left join lateral (
      select xid::text::bigint as xid, key, kind, change, record_key as "recordKey", device_id as "deviceID", readers,
        outcome, (extract(epoch from change_date) * 1000)::bigint as "atMs"
      from changes where (xid, key) > ${place(db, after)} order by changes.xid, changes.key limit ${most}) c on true`;
  const [first] = found;
  const open = first?.firstOpen ?? 0;
  const rows = found.filter((row): row is ChangeRow & typeof row => typeof row.kind === 'string');
  const settled = rows.filter(({ xid }) => xid < open);
  return {
    rows: settled,
    sweptTo: first?.hasGap ? { xid: Number(first.sweptXid), key: first.sweptKey } : undefined,
    waitsFor: settled.length < rows.length ? open : undefined,
  };
}

/** The last settled change, after which a new stream begins. */
export async function findEnd(db: Db, others: readonly number[]): Promise<Position> {
  const [row] = await db<{ xid: number; key: number }[]>`
    select xid::text::bigint as xid, key from (
      (select xid, key from changes where xid < ${firstOpen(db, others)} order by xid desc, key desc limit 1)
      union all select xid, key from change_sweep) known
    order by known.xid desc, known.key desc limit 1`;
  return row ?? { xid: 0, key: 0 };
}

/** Who keeps a transaction of this database open. */
export interface Holder {
  /** Null: it is prepared and has no process. */
  readonly process: number | null;
  /** Of the program, or of the prepared transaction. */
  readonly name: string;
  /** Null if this role may not see it. */
  readonly state: string | null;
  readonly address: string | null;
}

export async function findHolder(db: Db, xid: number): Promise<Holder | undefined> {
  const [row] = await db<Holder[]>`
    select a.pid as process, a.application_name as name, a.state, host(a.client_addr) as address
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.transactionid = ${xid}::text::xid8::xid
    union all
    select null, p.gid, 'prepared', null from pg_prepared_xacts p where p.transaction = ${xid}::text::xid8::xid`;
  return row;
}

/**
 * Ends the process that keeps the transaction open and does nothing with it. False if it is at work, is one of ours, whose
 * sessions have limits of their own, or may not be ended by this role.
 */
export async function endIdleHolder(db: Db, xid: number): Promise<boolean> {
  const [row] = await db<{ isEnded: boolean }[]>`
    select pg_terminate_backend(a.pid) as "isEnded" from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.transactionid = ${xid}::text::xid8::xid
      and a.state like 'idle in transaction%' and a.application_name not like 'earshot%'
      and pg_has_role(a.usesysid, 'MEMBER')`;
  return row?.isEnded ?? false;
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
  const others = await findOthers(db);
  await dropPartitions(db, keptHours, others);
  let count = mostAtOnce;
  while (count === mostAtOnce) {
    const rows = await db`
      with oldest as (select xid, key, change_date from changes_default where xid < ${firstOpen(db, others)} order by xid, key limit ${mostAtOnce}),
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
