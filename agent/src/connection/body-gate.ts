import { wait } from '@earshot/client/retry';

/*
 * Limits the bytes of failed requests: after a body that failed, the next one waits, longer each time, whichever
 * recording it is of. A body that the platform took opens the gate again.
 */

const firstDelayMs = 1_000;
const longestDelayMs = 600_000;

export function createBodyGate(elapsedMs: () => number = () => performance.now()) {
  let delayMs = firstDelayMs;
  let openAtMs = 0;
  return {
    async pass(signal: AbortSignal | undefined): Promise<void> {
      signal?.throwIfAborted();
      await wait(Math.max(0, openAtMs - elapsedMs()), signal);
      signal?.throwIfAborted();
    },
    /** `askedMs`: how long the platform itself asks to wait. Returns how long the next body waits. */
    close(askedMs = 0): number {
      const nextMs = Math.min(Math.max(askedMs, delayMs * (0.75 + Math.random() * 0.5)), longestDelayMs);
      openAtMs = elapsedMs() + nextMs;
      delayMs = Math.min(delayMs * 2, longestDelayMs);
      return nextMs;
    },
    open(): void {
      delayMs = firstDelayMs;
      openAtMs = 0;
    },
  };
}
