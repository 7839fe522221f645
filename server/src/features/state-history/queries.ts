import type { Db } from '../../platform/database/connect.ts';
import { removeExpired } from '../../platform/database/expired-rows.ts';
import { sweepOnlineTimes } from '../device/public.ts';

/** A span ends if no node has extended it for this long. */
const mostPauseSeconds = 180;

/** Extends the span in which the platform runs, or begins one. */
export async function notePlatformRuns(db: Db): Promise<void> {
  await db`
    with extended as (
      update platform_times p set until = now()
      where p.since = (select max(since) from platform_times)
        and p.until > now() - make_interval(secs => ${mostPauseSeconds})
      returning 1)
    insert into platform_times (since, until) select now(), now() where not exists (select 1 from extended)
    on conflict (since) do nothing`;
}

/** Removes what ended before the days that are kept. */
export async function sweepHistory(db: Db, days: number): Promise<void> {
  for (const table of ['platform_times', 'setting_differences', 'upload_failures'])
    await removeExpired(db, table, db`until < now() - make_interval(days => ${days})`);
  await sweepOnlineTimes(db, days);
}
