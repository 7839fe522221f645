import { retryDelayMs } from './failure.ts';
import { reasonOf } from './loop.ts';

/** Delays retries of single recordings: each failure of one doubles its delay, and the others are not held up. */
export interface Backoff {
  isDue(id: string): boolean;
  /** Returns the delay. */
  fail(id: string, error: unknown): number;
  succeed(id: string): void;
  /** Why the last attempt failed, of those that have not succeeded since. */
  readonly reasons: ReadonlyMap<string, string>;
  /** All are due now. */
  clear(): void;
  /** The time until the next one is due; those that are due already do not count. */
  nextMs(): number;
}

const firstDelayMs = 5_000;
const longestDelayMs = 600_000;

interface Delayed {
  readonly untilMs: number;
  readonly nextDelayMs: number;
}

export function createBackoff(clock: () => number = () => performance.now()): Backoff {
  const delayed = new Map<string, Delayed>();
  const reasons = new Map<string, string>();
  return {
    reasons,
    isDue: (id) => (delayed.get(id)?.untilMs ?? 0) <= clock(),
    fail(id, error) {
      const ownMs = delayed.get(id)?.nextDelayMs ?? firstDelayMs;
      const delayMs = retryDelayMs(error, ownMs);
      reasons.set(id, reasonOf(error));
      delayed.set(id, { untilMs: clock() + delayMs, nextDelayMs: Math.min(ownMs * 2, longestDelayMs) });
      return delayMs;
    },
    succeed(id) {
      delayed.delete(id);
      reasons.delete(id);
    },
    clear: () => delayed.clear(),
    nextMs() {
      const nowMs = clock();
      let nextMs = Infinity;
      for (const { untilMs } of delayed.values()) if (untilMs > nowMs) nextMs = Math.min(nextMs, untilMs - nowMs);
      return nextMs;
    },
  };
}
