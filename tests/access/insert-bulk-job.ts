import type { Pool } from '@earshot/server/platform/database/connect';
import { requireValue } from '@earshot/server/platform/database/stored';

/** Ended, so that the platform changes nothing. */
export async function insertBulkJob(db: Pool, userID: number): Promise<{ readonly key: number }> {
  const [row] = await db<{ key: number }[]>`
    insert into bulk_jobs (user_id, action, state, record_keys, record_names, total, passed_count, failed_count, end_date)
    values (${userID}, 'delete', 'done', '{}', '{}', 2, 2, 1, now()) returning key`;
  return { key: requireValue(row?.key, 'bulk_jobs.key') };
}
