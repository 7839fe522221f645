import type { Db, Fragment } from '../../platform/database/connect.ts';
import { removalLock } from '../../platform/storage/removal-lock.ts';

/*
 * Bytes can be removed only after the transaction that removes their record has committed. So that transaction notes
 * their storage name, and a sweep (sweep.ts) removes the bytes and then the note: no bytes are left behind if a node
 * stops in between.
 */

/** Longer than an upload address is valid, plus the longest time until an upload that has begun under it ends. */
const uploadsEndAfter = '2 hours';

/**
 * The insert that notes removed files; `rows` is a table or a query in brackets with `storage_name` and `file_status`.
 */
export const noteRemoved = (db: Db, rows: Fragment): Fragment => db`
  insert into removed_files (storage_name, due_date)
  select r.storage_name, now() + case r.file_status when 1 then interval '0' else ${uploadsEndAfter}::interval end
  from ${rows} r on conflict (storage_name) do nothing`;

/** For this long, bytes that one node has started to remove are left to it. */
const reservedFor = '10 minutes';

/** Files that have waited for their bytes for a day. Locks them. */
export async function findOverdue(tx: Db, most: number): Promise<number[]> {
  const rows = await tx<{ key: number }[]>`
    select key from files where file_status = 0 and creation_date < now() - interval '1 day'
    order by creation_date limit ${most} for update skip locked`;
  return rows.map(({ key }) => key);
}

/** Files for which the check of their use is due. Locks them. */
export async function findDue(tx: Db, most: number): Promise<number[]> {
  const rows = await tx<{ key: number }[]>`
    select key from files where sweep_date <= now() order by sweep_date limit ${most} for update skip locked`;
  return rows.map(({ key }) => key);
}

/** Bytes to be removed; none while a backup copies files. Postpones them for other nodes. */
export async function findRemoved(db: Db, most: number): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    update removed_files set due_date = now() + ${reservedFor}::interval
    where storage_name in (
      select storage_name from removed_files
      where due_date <= now() and (select pg_try_advisory_xact_lock_shared(${removalLock}))
      order by due_date limit ${most} for update skip locked)
    returning storage_name as name`;
  return rows.map(({ name }) => name);
}

export async function forgetRemoved(db: Db, name: string): Promise<void> {
  await db`delete from removed_files where storage_name = ${name}`;
}
