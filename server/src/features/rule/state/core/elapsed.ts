import type { StateSpan } from './spans.ts';
import { isSpan, overlapOf } from './spans.ts';

/**
 * The span from when on something has gone on for so long, counted within one run of the platform: while it was away, nobody could
 * say that it is there. What was long enough before the platform went away goes on. Undefined: it was never long enough.
 */
export function afterElapsed(
  span: StateSpan,
  runs: readonly StateSpan[],
  forMs: number,
  leastMs = -Infinity,
): StateSpan | undefined {
  for (const run of runs) {
    const counted = overlapOf(span, run);
    const startMs = Math.max(counted.startMs + forMs, leastMs);
    if (isSpan(counted) && startMs < counted.endMs) return { startMs, endMs: span.endMs };
  }
  return undefined;
}
