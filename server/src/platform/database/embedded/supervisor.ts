import { setTimeout as sleep } from 'node:timers/promises';

import { createFailureLog } from '../../failure-log.ts';
import type { Log } from '../../log.ts';
import type { Postmaster } from './postmaster.ts';

const shortestDelayMs = 100;
const longestDelayMs = 5000;
/** After this time of running, an exit resets the delay. */
const settledMs = 60_000;

export interface Supervision {
  readonly first: Postmaster;
  readonly restart: (signal: AbortSignal) => Promise<Postmaster>;
  readonly log: Log;
}

/**
 *   running ──ends──▶ waiting (0.1 s, doubling to 5 s) ──▶ restarting ──▶ running
 *                        ▲                                     │
 *                        └──────────────fails──────────────────┘
 *
 * Runs until aborted, never throws, and resolves to the last postmaster.
 */
export async function superviseCluster({ first, restart, log }: Supervision, signal: AbortSignal): Promise<Postmaster> {
  const failures = createFailureLog((fields, message) => log.error(fields, message));
  let postmaster = first;
  let delayMs = shortestDelayMs;
  let runningSince: number | undefined = performance.now();
  while (!signal.aborted) {
    try {
      const exitReason = await postmaster.waitForExit(signal);
      if (runningSince !== undefined) {
        log.warn({ pid: postmaster.pid, exitReason }, 'PostgreSQL exited unexpectedly; restarting it');
        if (performance.now() - runningSince > settledMs) delayMs = shortestDelayMs;
        runningSince = undefined;
      }
      await sleep(delayMs, undefined, { signal });
      delayMs = Math.min(2 * delayMs, longestDelayMs);
      postmaster = await restart(signal);
      runningSince = performance.now();
      failures.succeeded();
    } catch (error) {
      if (!signal.aborted) {
        failures.failed({ err: error, delayMs }, 'PostgreSQL could not be restarted; retrying');
      }
    }
  }
  return postmaster;
}
