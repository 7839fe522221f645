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
  beginsAtOnce = false,
): () => Promise<void> {
  const stopping = new AbortController();
  const failures = createFailureLog((fields, message) => log.warn(fields, message));
  const run = async (): Promise<void> => {
    for (let isFirst = true; !stopping.signal.aborted; isFirst = false) {
      if (!(isFirst && beginsAtOnce)) await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
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
