import type { Db, Fragment, Pool } from '../database/connect.ts';
import { inTransaction } from '../database/connect.ts';
import { firstOpen } from './open-transactions.ts';

/*
 * The partitions of the log of changes: one for each hour, named by it in UTC (changes_2026111621), and changes_default
 * for rows of other hours.
 *
 *   made      for the next hours, by any node, at its start and every few minutes. Not for the present hour, nor in the
 *             last minute before: PostgreSQL refuses a row on its way to changes_default when the partition for it is
 *             attached at that moment. An hour that nobody made a partition for stays in changes_default
 *   dropped   when all of the hour is older than EARSHOT_CHANGE_HOURS; change_sweep says up to which place changes are gone
 *
 * Both wait for locks only briefly, because writers wait behind them, and are tried again later.
 */

const hoursAhead = 6;
/** An arbitrary constant that all nodes of a database share: one of them works on partitions at a time. */
const partitionLock = 0x65_61_72_74;
const lockNotAvailable = '55P03';

/** `hour` is a timestamp. */
const nameOf = (db: Db, hour: Fragment): Fragment =>
  db`to_char((${hour}) at time zone 'UTC', '"changes_"YYYYMMDDHH24')`;

interface Partition {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** Makes the missing partitions of the next hours. */
export async function makePartitions(db: Pool): Promise<void> {
  if ((await findMissing(db)).length === 0) return;
  await alone(db, async (tx) => {
    const missing = await findMissing(tx);
    // Before anything else is locked. Rows are in it for such an hour only if the clock of the database was set back.
    await tx`lock table changes_default in access exclusive mode`;
    for (const { name, from, to } of missing) {
      const isInside = `change_date >= '${from}' and change_date < '${to}'`;
      await tx.unsafe(`create table ${name} (like changes including defaults including constraints)`);
      await tx.unsafe(`
        with moved as (delete from changes_default where ${isInside} returning *)
        insert into ${name} select * from moved`);
      await tx.unsafe(`alter table changes attach partition ${name} for values from ('${from}') to ('${to}')`);
    }
  });
}

async function findMissing(db: Db): Promise<Partition[]> {
  return db<Partition[]>`
    select ${nameOf(db, db`h.hour`)} as name, h.hour::text as "from", (h.hour + interval '1 hour')::text as "to"
    from generate_series(
      date_trunc('hour', now(), 'UTC') + interval '1 hour', now() + make_interval(hours => ${hoursAhead}),
      interval '1 hour') h (hour)
    where h.hour > now() + interval '1 minute' and to_regclass(${nameOf(db, db`h.hour`)}) is null order by h.hour`;
}

/** Drops the partitions whose hour is over since `keptHours`, the oldest first. `others` are transactions of other databases. */
export async function dropPartitions(db: Pool, keptHours: number, others: readonly number[] = []): Promise<void> {
  for (const name of await findOld(db, keptHours)) {
    const isDropped = await alone(db, (tx) => dropPartition(tx, name, others));
    if (isDropped !== true) return;
  }
}

async function findOld(db: Db, keptHours: number): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'changes'::regclass and c.relname ~ '^changes_[0-9]{10}$'
      and c.relname < ${nameOf(db, db`now() - make_interval(hours => ${keptHours})`)}
    order by c.relname`;
  return rows.map(({ name }) => name);
}

/** False if a running transaction can still precede its changes. */
async function dropPartition(tx: Db, name: string, others: readonly number[]): Promise<boolean> {
  // The table first, as readers do; nothing can be added afterwards.
  await tx`lock table only changes in access exclusive mode`;
  const [last] = await tx<{ xid: string; key: number; isSettled: boolean }[]>`
    select xid::text, key, xid < ${firstOpen(tx, others)} as "isSettled" from ${tx(name)} changes
    order by changes.xid desc, changes.key desc limit 1`;
  if (last && !last.isSettled) return false;
  if (last) await noteSwept(tx, tx`(select ${last.xid}::text::xid8 as xid, ${last.key}::bigint as key)`);
  await tx.unsafe(`drop table ${name}`);
  return true;
}

/** Records that changes up to the place in `last` (`xid`, `key`) are gone. */
async function noteSwept(tx: Db, last: Fragment): Promise<void> {
  await tx`
    update change_sweep s set xid = last.xid, key = last.key from ${last} last where (s.xid, s.key) < (last.xid, last.key)`;
}

/** Undefined if another node works on partitions, or a transaction held a lock for too long. */
async function alone<Result>(db: Pool, work: (tx: Db) => Promise<Result>): Promise<Result | undefined> {
  try {
    return await inTransaction(db, async (tx) => {
      await tx`set local lock_timeout = '500ms'`;
      const [row] = await tx<{ isFree: boolean }[]>`select pg_try_advisory_xact_lock(${partitionLock}) as "isFree"`;
      return row?.isFree ? await work(tx) : undefined;
    });
  } catch (error) {
    if ((error as { code?: unknown }).code === lockNotAvailable) return undefined;
    throw error;
  }
}
