import { filterNoise } from './noise-filter.ts';
import type { Recognised, Recogniser } from './recogniser.ts';
import { isUnsure, isWordless } from './recogniser.ts';

/*
 * Speech is passed to several recognisers, one after the other, until one is sure: the same recogniser again through a
 * noise filter, and then, if the operator allows the cost, a slower and better one.
 */

/** The same recogniser, for speech from which the noise was removed. */
export const throughNoiseFilter = (recogniser: Recogniser): Recogniser => ({
  ...recogniser,
  recognise: (samples, ...rest) => recogniser.recognise(filterNoise(samples), ...rest),
});

/** The best text of the first `recognisers` up to one that is sure. */
export async function recogniseUntilSure(
  recognisers: readonly Recogniser[],
  ...speech: Parameters<Recogniser['recognise']>
): Promise<Attempt> {
  let best: Attempt | undefined;
  for (const recogniser of recognisers) {
    const recognised = await recogniser.recognise(...speech);
    const attempt = { recognised, isUnsure: isUnsure(recognised, recogniser) };
    best = best && isBetter(best.recognised, recognised) ? best : attempt;
    if (!attempt.isUnsure) break;
  }
  return best!;
}

export interface Attempt {
  readonly recognised: Recognised;
  readonly isUnsure: boolean;
}

/** Whether the first text is at least as good as the second. */
function isBetter(first: Recognised, second: Recognised): boolean {
  if (isWordless(first) !== isWordless(second)) return isWordless(second);
  return first.logProbability >= second.logProbability;
}
