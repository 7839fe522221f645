import { setTimeout as sleep } from 'node:timers/promises';
import type { DeviceCall } from './call.ts';
import { CallFailure } from './call.ts';

/** How long a device waits after failures: the first delay, twice as long after each, or as long as the server asks. */
export interface DeviceDelays {
  readonly firstMs: number;
  readonly longestMs: number;
  /** The longest that it waits when the server asks. */
  readonly longestAskedMs: number;
}

/** Agents of this version, and of the version before, which waited for at most half a minute. */
export const presentDelays: DeviceDelays = { firstMs: 1_000, longestMs: 48_000, longestAskedMs: 600_000 };
export const formerDelays: DeviceDelays = { firstMs: 1_000, longestMs: 24_000, longestAskedMs: 30_000 };

const transient: ReadonlySet<number | undefined> = new Set([undefined, 408, 429, 502, 503, 504]);

export function delayAfter({ retryAfterMs }: CallFailure, failures: number, delays: DeviceDelays): number {
  const ownMs = Math.min(delays.firstMs * 2 ** Math.min(failures, 20), delays.longestMs);
  return Math.max(Math.min(retryAfterMs, delays.longestAskedMs), ownMs * (0.75 + Math.random() * 0.5));
}

/**
 * Repeats what had no answer, or was asked to come later, until the signal aborts. All requests of simulated devices may be
 * repeated.
 */
export const createPersistentCall =
  (call: DeviceCall, delays: DeviceDelays, signal: AbortSignal): DeviceCall =>
  (operation, input, settings) =>
    persistently(() => call(operation, input, settings), delays, signal);

export async function persistently<Answer>(
  act: () => Promise<Answer>,
  delays: DeviceDelays,
  signal: AbortSignal,
): Promise<Answer> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof CallFailure) || !transient.has(error.status) || signal.aborted) throw error;
      await sleep(delayAfter(error, failures, delays), undefined, { signal }).catch(() => {});
      if (signal.aborted) throw error;
    }
  }
}
