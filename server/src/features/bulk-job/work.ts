import { Refusal } from '../../errors.ts';
import type { RefusalCode } from '../../errors.ts';
import type { Cluster } from '../../platform/cluster.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import { poolWithin } from '../../platform/database/pool-within.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Log } from '../../platform/log.ts';
import { changeCredentials } from '../caller/public.ts';
import type { DeviceRemoval } from '../device/public.ts';
import type { CallingParts } from '../event/public.ts';
import { actions } from './actions.ts';
import type { HeldJob, RecordPlace } from './work-queries.ts';
import {
  failRecord,
  finishJob,
  keepJob,
  noteAttempt,
  passRecord,
  releaseJob,
  stopJob,
  takeBulkJob,
} from './work-queries.ts';

/*
 * Working on bulk jobs. A node takes the job whose turn is next, works on it for a moment, and takes the next one.
 *
 *     take ──▶ the person is disabled, the key is revoked? ──yes──▶ stopped
 *      ▲           │no
 *      │           ├── no record is left ──▶ done
 *      │           ▼
 *      │      change the record and pass it, in one transaction ──▶ passed
 *      │           ├── refused ──▶ passed, with a failure
 *      │           └── unexpected error ──▶ the same record later; after some attempts passed, with a failure
 *      └───────────┘ after a moment, or when all records that were read are passed
 *
 * To pass a record is to increase the number of passed ones from what it was, so only one transaction passes it, however
 * many nodes change it: the others are rolled back. The lease only keeps nodes from doing the same work. A job that was
 * cancelled passes no record, so a change that is under way when it is cancelled is rolled back too.
 */

export interface BulkWork {
  readonly db: Pool;
  readonly cluster: Cluster;
  readonly deviceRemovals: readonly DeviceRemoval[];
  readonly events: CallingParts;
  readonly isStopping: () => boolean;
  readonly log: Log;
  /** Identifies this node. */
  readonly node: string;
}

const leaseSeconds = 30;
const turnMs = 1_000;
const recordsPerTurn = 500;
const mostAttempts = 5;

/** Works until no job is left. */
export async function workOnBulkJobs(work: BulkWork): Promise<void> {
  const { db, node } = work;
  while (!work.isStopping()) {
    const job = await takeBulkJob(db, { node, leaseSeconds, mostRecords: recordsPerTurn });
    if (!job) return;
    // A device with many clips takes longer than a lease.
    const renewing = setInterval(
      () => void keepJob(db, node, job.key, leaseSeconds).catch(() => {}),
      (leaseSeconds * 1_000) / 3,
    );
    try {
      await takeTurn(work, job);
    } finally {
      clearInterval(renewing);
    }
    await releaseJob(db, node, job.key);
  }
}

async function takeTurn(work: BulkWork, job: HeldJob): Promise<void> {
  const { db, isStopping } = work;
  if (job.isDisabled) return stopJob(db, job, 'The account of the person who started it is disabled.');
  if (job.isRevoked) return stopJob(db, job, 'The API key that started it was revoked.');
  if (job.recordKeys.length === 0) return finishJob(db, job);
  const endsAt = performance.now() + turnMs;
  for (const [at, key] of job.recordKeys.entries()) {
    if (isStopping() || performance.now() > endsAt) return;
    if (!(await workOnRecord(work, { job, position: job.passedCount + at }, key))) return;
  }
}

/** Returns whether the next record may follow. */
async function workOnRecord(work: BulkWork, place: RecordPlace, key: number): Promise<boolean> {
  const { db, log } = work;
  try {
    await changeRecord(work, place, key);
    return true;
  } catch (error) {
    if (error instanceof NotNext) return false;
    if (error instanceof Refusal && !passing.has(error.code)) {
      await failRecord(db, place, error.message);
      return true;
    }
    log.warn({ error, bulkJobID: place.job.key, recordKey: key }, 'a record of a bulk job could not be changed');
    if ((await noteAttempt(db, place)) >= mostAttempts)
      await failRecord(
        db,
        place,
        `The platform failed to do it ${mostAttempts} times; the log of the server says why.`,
      );
    return false;
  }
}

/** Refusals after which it may be tried again. */
const passing: ReadonlySet<RefusalCode> = new Set(['unavailable', 'tooMany', 'timedOut']);

/** Another node has passed the record, the job has ended, or the rights of its maker have changed. */
class NotNext extends Error {}

async function changeRecord({ db, ...work }: BulkWork, place: RecordPlace, key: number): Promise<void> {
  const { job } = place;
  const { change, revokes } = actions[job.action];
  const effects: (() => void)[] = [];
  const changeWithin = async (tx: Db) => {
    effects.length = 0;
    const subjects = await change({ ...work, db: poolWithin(db, tx, effects) }, callerOf(job), job, key);
    if (!(await passRecord(tx, place))) throw new NotNext();
    return { result: undefined, subjects };
  };
  if (revokes) await changeCredentials({ ...work, db }, changeWithin);
  else await inTransaction(db, changeWithin);
  for (const effect of effects) effect();
}

const callerOf = ({ userID, role, sessionID, apiKeyID }: HeldJob): Caller => ({
  userID,
  role,
  credential: 'bulk job',
  ...(sessionID === null ? {} : { sessionID }),
  ...(apiKeyID === null ? {} : { apiKeyID }),
});
