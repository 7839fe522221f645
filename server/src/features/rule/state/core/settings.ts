import { msPerMinute } from './durations.ts';
import { afterElapsed } from './elapsed.ts';
import type { StateSpan } from './spans.ts';
import { joinSpans } from './spans.ts';

/** A setting that has differed for so long. */
export const findDifferentSettings = (
  differences: readonly StateSpan[],
  runs: readonly StateSpan[],
  { afterMinutes }: { readonly afterMinutes: number },
): readonly StateSpan[] =>
  joinSpans(differences.flatMap((difference) => afterElapsed(difference, runs, afterMinutes * msPerMinute) ?? []));
