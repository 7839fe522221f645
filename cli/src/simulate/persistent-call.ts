import { setTimeout as sleep } from 'node:timers/promises';
import type { DeviceCall } from './call.ts';
import { CallFailure } from './call.ts';

/** How long a device waits after failures: the first delay, twice as long after each, or as long as the server asks. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
  /** The longest that it waits when the server asks. */
  readonly longestAskedMs: number;
}

/** Agents of this version, and of the version before, which waited for at most half a minute. */
export const presentBackoff: Backoff = { firstMs: 1_000, longestMs: 48_000, longestAskedMs: 600_000 };
export const formerBackoff: Backoff = { firstMs: 1_000, longestMs: 24_000, longestAskedMs: 30_000 };

const transient: ReadonlySet<number | undefined> = new Set([undefined, 408, 429, 502, 503, 504]);

export function delayAfter({ retryAfterMs }: CallFailure, failures: number, backoff: Backoff): number {
  const ownMs = Math.min(backoff.firstMs * 2 ** Math.min(failures, 20), backoff.longestMs);
  return Math.max(Math.min(retryAfterMs, backoff.longestAskedMs), ownMs * (0.75 + Math.random() * 0.5));
}

/**
 * Repeats what had no answer, or was asked to come later, until the signal aborts. All requests of simulated devices may be
 * repeated.
 */
export const createPersistentCall =
  (call: DeviceCall, backoff: Backoff, signal: AbortSignal): DeviceCall =>
  (operation, input, settings) =>
    persistently(() => call(operation, input, settings), backoff, signal);

export async function persistently<Answer>(
  act: () => Promise<Answer>,
  backoff: Backoff,
  signal: AbortSignal,
): Promise<Answer> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof CallFailure) || !transient.has(error.status) || signal.aborted) throw error;
      await sleep(delayAfter(error, failures, backoff), undefined, { signal }).catch(() => {});
      if (signal.aborted) throw error;
    }
  }
}
