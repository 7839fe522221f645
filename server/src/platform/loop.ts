import { setTimeout as sleep } from 'node:timers/promises';
import { createFailureLog } from './failure-log.ts';
import type { Log } from './log.ts';

/**
 * Repeats the work at an interval until the returned function is called; a failure is logged and the loop continues.
 */
export function startLoop(
  name: string,
  everyMs: number,
  work: () => Promise<void>,
  log: Log,
  firstAfterMs = everyMs,
): () => Promise<void> {
  const stopping = new AbortController();
  const failures = createFailureLog((fields, message) => log.warn(fields, message));
  const run = async (): Promise<void> => {
    for (let waitMs = firstAfterMs; !stopping.signal.aborted; waitMs = everyMs) {
      if (waitMs > 0) await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      try {
        await work();
        failures.succeeded();
      } catch (error) {
        failures.failed({ error, loop: name }, 'a background loop failed; it will run again');
      }
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}

const firstSweepWithinMs = 5_000;

/**
 * A loop that runs rarely, and soon after the start for the first time. Sweeps that all began at once would open a
 * connection each, and the pool keeps them.
 */
export const startSweep = (name: string, everyMs: number, work: () => Promise<void>, log: Log): (() => Promise<void>) =>
  startLoop(name, everyMs, work, log, Math.random() * firstSweepWithinMs);
