import type { BulkActionName, BulkEvent } from '@earshot/contract/bulk-job';
import type { Role } from '@earshot/contract/user';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import { endedColumns } from './queries.ts';

/** A job that this node works on. */
export interface HeldJob {
  readonly key: number;
  readonly userID: number;
  readonly role: Role;
  readonly sessionID: number | null;
  readonly apiKeyID: number | null;
  readonly isDisabled: boolean;
  readonly isRevoked: boolean;
  readonly action: BulkActionName;
  readonly collectionID: number | null;
  readonly event: BulkEvent | null;
  readonly passedCount: number;
  /** The next records. */
  readonly recordKeys: readonly number[];
}

interface Hold {
  readonly node: string;
  readonly leaseSeconds: number;
  readonly mostRecords: number;
}

const isRevoked = (db: Db): Fragment => db`
  (j.api_key_id is not null and not exists (select 1 from api_keys k where k.key = j.api_key_id))`;

/** Takes the job whose last turn is longest ago, of those that no other node holds. */
export async function takeBulkJob(db: Db, { node, leaseSeconds, mostRecords }: Hold): Promise<HeldJob | undefined> {
  const [row] = await db<HeldJob[]>`
    update bulk_jobs j set node = ${node}::uuid, held_until = now() + make_interval(secs => ${leaseSeconds}),
      turn_date = clock_timestamp()
    from users u
    where u.key = j.user_id and j.key = (
      select key from bulk_jobs
      where end_date is null and (held_until is null or held_until < now() or node = ${node}::uuid)
      order by turn_date nulls first, key limit 1 for update skip locked)
    returning j.key, j.user_id as "userID", u.role, u.disabled as "isDisabled", ${isRevoked(db)} as "isRevoked",
      j.session_id as "sessionID", j.api_key_id as "apiKeyID", j.action, j.collection_id as "collectionID", j.event,
      j.passed_count as "passedCount",
      j.record_keys[j.passed_count + 1 : j.passed_count + ${mostRecords}::int] as "recordKeys"`;
  return row;
}

export async function keepJob(db: Db, node: string, jobID: number, leaseSeconds: number): Promise<void> {
  await db`
    update bulk_jobs set held_until = now() + make_interval(secs => ${leaseSeconds})
    where key = ${jobID} and node = ${node}::uuid and end_date is null`;
}

export async function releaseJob(db: Db, node: string, jobID: number): Promise<void> {
  await db`
    update bulk_jobs set node = null, held_until = null where key = ${jobID} and node = ${node}::uuid and end_date is null`;
}

/** The record that is changed: the job, and how many were passed before it. */
export interface RecordPlace {
  readonly job: HeldJob;
  readonly position: number;
}

/**
 * Whether the job `j` is still at this record, and its maker still has the rights with which it is changed. True in one
 * transaction only, even if several nodes work on the same record.
 */
const isNext = (db: Db, { job, position }: RecordPlace): Fragment => db`
  (j.key = ${job.key} and j.passed_count = ${position} and j.end_date is null and not ${isRevoked(db)}
    and exists (select 1 from users u where u.key = j.user_id and not u.disabled and u.role = ${job.role}))`;

/** Called last in the transaction of the change. False: the change must be rolled back. */
export async function passRecord(tx: Db, place: RecordPlace): Promise<boolean> {
  const rows = await tx`
    update bulk_jobs j set passed_count = passed_count + 1, attempt_count = 0 where ${isNext(tx, place)} returning 1`;
  return rows.length === 1;
}

export async function failRecord(db: Db, place: RecordPlace, reason: string): Promise<void> {
  await db`
    with passed as (
      update bulk_jobs j set passed_count = passed_count + 1, failed_count = failed_count + 1, attempt_count = 0
      where ${isNext(db, place)} returning j.key, j.record_keys[j.passed_count] as record_key,
        j.record_names[j.passed_count] as record_name)
    insert into bulk_failures (bulk_job_id, record_key, record_name, reason)
    select key, record_key, record_name, ${reason} from passed`;
}

/** Notes an unexpected error. The job rests for longer each time; its other records wait. Returns the number of errors. */
export async function noteAttempt(db: Db, place: RecordPlace): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    update bulk_jobs j set attempt_count = attempt_count + 1, node = null,
      held_until = now() + (attempt_count + 1) * (attempt_count + 1) * interval '1 second'
    where ${isNext(db, place)} returning attempt_count as count`;
  return row?.count ?? 0;
}

export async function finishJob(db: Db, { key, passedCount }: HeldJob): Promise<void> {
  await db`
    update bulk_jobs set state = 'done', ${endedColumns(db)}
    where key = ${key} and end_date is null and passed_count = ${passedCount} and passed_count = total`;
}

/** The platform ends it before its end. */
export async function stopJob(db: Db, { key }: HeldJob, reason: string): Promise<void> {
  await db`update bulk_jobs set state = 'stopped', reason = ${reason}, ${endedColumns(db)} where key = ${key} and end_date is null`;
}
