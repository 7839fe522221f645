import type { Aligner } from './aligner.ts';
import { loadAligner } from './aligner.ts';
import { isRepetitive } from './decoding.ts';
import { writeWords } from './llama-text.ts';
import type { Moonshine } from './moonshine.ts';
import { loadMoonshine } from './moonshine.ts';
import type { Recognised, Recogniser } from './recogniser.ts';

/*
 * Moonshine supports only English and writes English for any language. The probability of its steps shows the
 * difference: for read and spontaneous English of several speakers, the mean log probability was above -0.31 for 95 of
 * 100 stretches. For French, Spanish, Italian, Russian, Czech and Dutch, it was below -0.5 for 95 of 100 stretches
 * longer than 1.5 s. English in noise falls below -0.5 where half of the words are wrong. Words that cannot be matched
 * with the sound also count against a text: this happened to none of 173 English stretches, and to one in eight of the
 * others.
 */
const leastLogProbability = -0.5;
const mostSeconds = 20;
const unmatchedCosts = 0.2;

export async function loadEnglishRecogniser(folder: string): Promise<Recogniser> {
  return createEnglishRecogniser(await loadMoonshine(folder), await loadAligner());
}

function createEnglishRecogniser(moonshine: Moonshine, aligner: Aligner): Recogniser {
  return {
    leastLogProbability,
    mostSeconds,
    async recognise(samples, signal): Promise<Recognised> {
      const tokens = await moonshine.recognise(samples, signal);
      const words = tokens ? writeWords(tokens) : [];
      const isNonsense = !tokens || isRepetitive(words.map(({ text }) => text));
      const places = isNonsense
        ? undefined
        : aligner.align(
            samples,
            words.map(({ text }) => text),
          )?.words;
      const steps = tokens?.length ?? 0;
      const sum = tokens?.reduce((total, { logProbability }) => total + logProbability, 0) ?? 0;
      const logProbability = (steps > 0 ? sum / steps : 0) - (places || words.length === 0 ? 0 : unmatchedCosts);
      return { language: 'en', words, places, logProbability, steps, isNonsense };
    },
  };
}
