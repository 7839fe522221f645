import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../../platform/database/connect.ts';
import { isConnectionLoss } from '../../../platform/database/connection-error.ts';
import type { StoredEvent } from '../../../platform/events/stored-event.ts';
import type { Job, JobKind } from '../../../platform/events/jobs.ts';
import { FinalJobFailure, JobFailure, JobPostponed } from '../../../platform/events/jobs.ts';
import type { Log } from '../../../platform/log.ts';
import type { ServerKind, Turns } from '../take/turn-queries.ts';
import { findTurns, turnPriority } from '../take/turn-queries.ts';
import type { EventTimes } from '../take/lease-queries.ts';
import { takeServerEvent } from '../take/queries.ts';
import { complete, fail, failFinally, releaseTake, recordProgress, waitForUse } from '../transition/report-queries.ts';
import type { Wakeups } from '../wait/wakeups.ts';
import type { Outage } from './outage.ts';
import { findUnusable, waitingText } from './outage.ts';

interface JobParts {
  readonly db: Db;
  readonly log: Log;
  readonly times: EventTimes;
  readonly wakeups: Wakeups;
  readonly outage: Outage;
}

const recordAgainMs = 1_000;

/** Why a job is aborted: it no longer holds its event, or the worker stops. */
export type Ending = 'lost' | 'stopping';

export interface RunningJob {
  readonly eventID: number;
  readonly takeID: string;
  /** The owner whose turn it used. */
  readonly ownerID: number;
  readonly isUrgent: boolean;
  /** It came before others of its owner. */
  readonly isAhead: boolean;
  /** Resolves when the handler has ended and its outcome is recorded; never rejects. */
  readonly done: Promise<void>;
  abort(why: Ending): void;
  /** Waits for an aborted handler up to a limit; then the event is given back, although the handler still runs. */
  end(withinMs: number): Promise<void>;
}

/** Takes the next event of a kind and starts its handler; undefined if there is none. */
export async function takeJob(
  parts: JobParts,
  kind: JobKind & ServerKind,
  turns: Turns,
): Promise<RunningJob | undefined> {
  const takeID = randomUUID();
  const worker = { takeID, processID: process.pid };
  const taken = await takeServerEvent(parts.db, kind, worker, parts.times, turns);
  return taken && begin(parts, kind, taken, takeID);
}

interface Taken {
  readonly event: StoredEvent;
  readonly ownerID: number;
}

function begin(parts: JobParts, kind: JobKind & ServerKind, { event, ownerID }: Taken, takeID: string): RunningJob {
  const { db, log, times, wakeups, outage } = parts;
  const eventID = event.key;
  const actor = { takeID };
  const aborting = new AbortController();
  const { signal } = aborting;
  let ending: Ending | undefined;
  const abort = (why: Ending) => {
    ending ??= why;
    aborting.abort(new Error(why === 'lost' ? 'this job no longer holds the event' : 'the worker is stopping'));
  };

  const job: Job = {
    event,
    parameters: JSON.parse(event.eventParameters) as Job['parameters'],
    signal,
    async progress(percent) {
      signal.throwIfAborted();
      const percentComplete = Math.min(Math.max(percent, 0), 100);
      if (await recordProgress(db, eventID, { percentComplete }, times, actor)) return;
      abort('lost');
      signal.throwIfAborted();
    },
    async isTurnOver() {
      const waiting = await findTurns(db, kind, {});
      const least = turnPriority(kind, event.priority);
      return waiting.some((turn) => turn.ownerID !== ownerID && turnPriority(kind, turn.priority) >= least);
    },
  };

  const returnEvent = async (why: 'stopped' | 'postponed' = 'stopped', priority?: number) =>
    wakeups.add(await releaseTake(db, eventID, takeID, why, priority));

  async function recordFailure(error: unknown): Promise<void> {
    if (ending === 'lost') return;
    if (ending === 'stopping') return returnEvent();
    if (error instanceof JobPostponed) return returnEvent('postponed', error.priority);
    const unusable = findUnusable(error);
    if (unusable && outage.isToWait(eventID)) {
      log.warn({ error, eventID, eventType: kind.eventType }, `a job waits: the ${unusable} cannot be used`);
      if (await waitForUse(db, eventID, takeID, waitingText[unusable], outage.pauseSeconds)) return;
    } else if (!(error instanceof JobFailure)) {
      log.error({ error, eventID, eventType: kind.eventType }, 'a job failed');
    }
    const report = { result: explain(error, eventID) };
    if (error instanceof FinalJobFailure) await failFinally(db, eventID, report, actor);
    else await fail(db, eventID, report, times, actor);
  }

  /** While the database is away, until the lease ends, so that neither work nor an attempt is lost. */
  async function untilRecorded(record: () => Promise<unknown>): Promise<void> {
    const endMs = performance.now() + times.leaseSeconds * 1_000;
    for (;;) {
      try {
        await record();
        return;
      } catch (error) {
        if (!isConnectionLoss(error) || ending !== undefined || performance.now() > endMs) throw error;
      }
      await sleep(recordAgainMs);
    }
  }

  async function run(): Promise<void> {
    let result: string | undefined;
    try {
      result = await kind.handle(job);
    } catch (error) {
      return untilRecorded(() => recordFailure(error));
    }
    outage.succeeded();
    // The handler finished before or despite an abort: the result counts if the job still holds the event.
    await untilRecorded(() => complete(db, eventID, { result }, actor));
  }

  // The lease of the event ends then, and the event is retried.
  const unrecorded = (error: unknown) =>
    log.warn({ error, eventID }, 'recording the outcome of a job failed; its event is retried when its lease ends');
  const done = run().catch(unrecorded);
  return {
    eventID,
    takeID,
    ownerID,
    isUrgent: event.priority > 0,
    isAhead: event.priority === kind.aheadPriority,
    done,
    abort,
    async end(withinMs) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), withinMs);
      });
      const outcome = await Promise.race([done, late]);
      clearTimeout(timer);
      if (outcome !== 'late' || ending === 'lost') return;
      log.warn(
        { eventID, eventType: kind.eventType },
        'a job did not stop within the time limit after it was aborted; its event is given back',
      );
      await returnEvent().catch(unrecorded);
    },
  };
}

const explain = (error: unknown, eventID: number): string =>
  error instanceof JobFailure
    ? error.message
    : `An internal error occurred. The server log has the cause under event ${eventID}.`;
