import type { StateSpan } from './spans.ts';

/** A span in which some node ran is extended at least so often; see features/state-history. */
const longestPauseMs = 180_000;

/**
 * The times in which the platform ran, in order. It runs now, because it judges: the last of the stored times goes on, or, if it ended long
 * ago, a new one begins now.
 */
export function runsUntilNow(stored: readonly StateSpan[], nowMs: number): readonly StateSpan[] {
  const last = stored.at(-1);
  if (!last || nowMs - last.endMs > longestPauseMs) return [...stored, { startMs: nowMs, endMs: Infinity }];
  return [...stored.slice(0, -1), { startMs: last.startMs, endMs: Infinity }];
}
