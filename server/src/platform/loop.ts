import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';

/** Does the work every so often until the function it returns is called; a failure is logged and tried again. */
export function startLoop(
  name: string,
  everyMs: number,
  work: () => Promise<void>,
  log: Log,
  beginsAtOnce = false,
): () => Promise<void> {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    for (let isFirst = true; !stopping.signal.aborted; isFirst = false) {
      if (!(isFirst && beginsAtOnce)) await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      await work().catch((error: unknown) => log.warn({ error, loop: name }, 'a loop failed and goes on'));
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}
