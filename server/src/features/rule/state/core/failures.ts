import { msPerHour } from './durations.ts';
import type { StateSpan } from './spans.ts';
import { findCrowded } from './spans.ts';

interface FailureLimits {
  readonly failureCount: number;
  readonly withinHours: number;
}

/** At least so many failures of the last hours. `failures` begin when they happened and end when they were made good, if they were. */
export const findFailing = (
  failures: readonly StateSpan[],
  { failureCount, withinHours }: FailureLimits,
): readonly StateSpan[] =>
  findCrowded(
    failures.map(({ startMs, endMs }) => ({ startMs, endMs: Math.min(endMs, startMs + withinHours * msPerHour) })),
    failureCount,
  );
