import type { Db, Fragment } from '../database/connect.ts';

/** All changes before this transaction are there. `others` are known to belong to other databases. */
export const firstOpen = (db: Db, others: readonly number[]): Fragment => db`coalesce((
  select x.xid from pg_snapshot_xip(pg_current_snapshot()) x (xid)
  where x.xid::text::bigint <> all(${others as number[]}::bigint[]) order by x.xid limit 1),
  pg_snapshot_xmax(pg_current_snapshot()))`;

/**
 * The open transactions of other databases of this PostgreSQL: they add nothing to this log. Only those that are surely of
 * another one: a process that began after this statement may have the number of one that has ended.
 */
export async function findOthers(db: Db): Promise<number[]> {
  const rows = await db<{ xid: number }[]>`
    select x.xid::text::bigint as xid from pg_snapshot_xip(pg_current_snapshot()) x (xid)
    where x.xid::xid in (
        select l.transactionid from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted
          and a.backend_start < statement_timestamp()
          and a.datid <> (select d.oid from pg_database d where d.datname = current_database()))
      or x.xid::xid in (select p.transaction from pg_prepared_xacts p where p.database <> current_database())`;
  return rows.map(({ xid }) => xid);
}
