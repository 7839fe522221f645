import { isConnectionLoss } from '../../../platform/database/connection-error.ts';
import { StorageUnavailable } from '../../../platform/storage/storage-error.ts';

/*
 * While the storage or the database cannot be used, jobs wait and their attempts do not count. One job a pause tries whether it
 * can be used again, whatever else runs:
 *
 *     usable ──a job fails because of it──▶ paused ──the pause is over──▶ one job tries ──it succeeds──▶ usable
 *                                             ▲                               │
 *                                             └──────it fails: a longer pause─┘
 *
 * A job that fails again although others succeeded meanwhile, for example because one object is damaged, is at fault itself.
 */

export type Unusable = 'storage' | 'database';

export interface Outage {
  /** Whether one more job may begin. */
  mayBegin(): boolean;
  begun(): void;
  /** Whether the job waits; otherwise the failure is its own. */
  isToWait(eventID: number): boolean;
  succeeded(): void;
  /** An event that waits is due later than the next try, which is left to others. */
  readonly pauseSeconds: number;
}

const firstPauseMs = 2_000;
const longestPauseMs = 60_000;
const mostRemembered = 10_000;

export function createOutage(): Outage {
  let pauseMs = 0;
  let pausedAtMs = -Infinity;
  let begunAtMs = -Infinity;
  let successes = 0;
  /** The number of successes when an event waited last. */
  const waited = new Map<number, number>();
  return {
    mayBegin: () => performance.now() - Math.max(pausedAtMs, begunAtMs) >= pauseMs,
    begun() {
      begunAtMs = performance.now();
    },
    isToWait(eventID) {
      const before = waited.get(eventID);
      if (before !== undefined && before < successes) {
        waited.delete(eventID);
        return false;
      }
      if (waited.size >= mostRemembered) waited.clear();
      waited.set(eventID, successes);
      // Jobs that ran at once fail at once, which is one failure.
      if (performance.now() - pausedAtMs >= pauseMs) {
        pauseMs = Math.min(pauseMs === 0 ? firstPauseMs : pauseMs * 2, longestPauseMs);
        pausedAtMs = performance.now();
      }
      return true;
    },
    get pauseSeconds() {
      return Math.round(pauseMs / 1_000);
    },
    succeeded() {
      successes += 1;
      pauseMs = 0;
    },
  };
}

const deepest = 5;

/** What could not be used, if that is why the work failed. */
export function findUnusable(error: unknown): Unusable | undefined {
  let cause = error;
  for (let depth = 0; depth < deepest && cause instanceof Error; depth += 1) {
    if (cause instanceof StorageUnavailable) return 'storage';
    ({ cause } = cause);
  }
  return isConnectionLoss(error) ? 'database' : undefined;
}

/** As the result of an event that waits. The log has the cause, which names places of the operator. */
export const waitingText: Readonly<Record<Unusable, string>> = {
  storage: 'Waits, because the storage of the platform cannot be used at present.',
  database: 'Waits, because the database of the platform cannot be reached at present.',
};
