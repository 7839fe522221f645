import type { Db, Fragment } from './connect.ts';

/** How often each node removes expired rows. */
export const sweepMs = 300_000;

/** Never waits: every node sweeps, and a row that is locked is being used or removed. */
export async function removeExpired(db: Db, table: string, isExpired: Fragment): Promise<void> {
  const rows = db(table);
  await db`delete from ${rows} where ctid in (select ctid from ${rows} where ${isExpired} for update skip locked)`;
}
