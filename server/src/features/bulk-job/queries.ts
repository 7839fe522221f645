import type { BulkActionName, BulkEvent, BulkJob } from '@earshot/contract/bulk-job';
import { bulkJobDays } from '@earshot/contract/bulk-job';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import { removeExpired } from '../../platform/database/expired-rows.ts';
import { requireValue } from '../../platform/database/stored.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { collectionRight } from '../../access.ts';

/** Admins see and cancel all jobs; everybody else their own. */
const jobRight = (db: Db, { role, userID }: Caller): Fragment =>
  role === 'admin' ? db`true` : db`j.user_id = ${userID}`;

const selectJobs = (db: Db, caller: Caller): Fragment => db`
  select j.key, j.user_id as "userID", j.action, j.state, j.reason, j.total,
    j.passed_count - j.failed_count as "doneCount", j.failed_count as "failedCount", j.collection_id as "collectionID", (
      select c.collection_name from collections c where c.key = j.collection_id and ${collectionRight(db, caller, 'read')}
    ) as "collectionName", t.event_type_name as "eventType", j.creation_date as "creationDate", j.end_date as "endDate"
  from bulk_jobs j left join event_types t on t.key = (j.event ->> 'eventTypeID')::bigint`;

export async function listJobs(db: Db, caller: Caller): Promise<BulkJob[]> {
  return db<BulkJob[]>`${selectJobs(db, caller)} where ${jobRight(db, caller)} order by j.key desc limit 100`;
}

export async function findJob(db: Db, caller: Caller, bulkJobID: number): Promise<BulkJob | undefined> {
  const [row] = await db<BulkJob[]>`
    ${selectJobs(db, caller)} where j.key = ${bulkJobID} and ${jobRight(db, caller)}`;
  return row;
}

/** Locks the person, so that jobs of one person are counted one after another. */
export async function countRunning(tx: Db, { userID }: Caller): Promise<number> {
  await tx`select 1 from users where key = ${userID} for no key update`;
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from bulk_jobs where user_id = ${userID} and end_date is null`;
  return row?.count ?? 0;
}

export interface NewJob {
  readonly action: BulkActionName;
  readonly collectionID?: number;
  readonly event?: BulkEvent;
  /** Without a name: the person may not read it. */
  readonly records: readonly { readonly key: number; readonly name: string | null }[];
}

export async function insertJob(
  tx: Db,
  { userID, sessionID, apiKeyID }: Caller,
  { action, collectionID, event, records }: NewJob,
): Promise<number> {
  const [row] = await tx<{ key: number }[]>`
    insert into bulk_jobs (user_id, session_id, api_key_id, action, collection_id, event, record_keys, record_names, total)
    values (${userID}, ${sessionID ?? null}, ${apiKeyID ?? null}, ${action}, ${collectionID ?? null},
      ${event ? JSON.stringify(event) : null}::text::jsonb, ${records.map(({ key }) => key)}::bigint[],
      ${records.map(({ name }) => name)}::text[], ${records.length})
    returning key`;
  return requireValue(row?.key, 'bulk_jobs.key of a new job');
}

export async function cancelJob(db: Db, caller: Caller, bulkJobID: number): Promise<void> {
  await db`
    update bulk_jobs j set state = 'cancelled', ${endedColumns(db)}
    where j.key = ${bulkJobID} and j.end_date is null and ${jobRight(db, caller)}`;
}

/** What every end of a job sets. */
export const endedColumns = (db: Db): Fragment =>
  db`end_date = clock_timestamp(), record_keys = '{}', record_names = '{}', node = null, held_until = null`;

export const sweepBulkJobs = (db: Db): Promise<void> =>
  removeExpired(db, 'bulk_jobs', db`end_date < now() - ${bulkJobDays} * interval '1 day'`);
