import { sampleRate } from '../engine.ts';
import { placeTokens } from '../whisper/attention-times.ts';
import type { WordSpan } from './aligner.ts';
import type { DecodedText } from './decode-text.ts';
import { decodeText } from './decode-text.ts';
import { isRepetitive } from './decoding.ts';
import { llamaTerms, writeWords } from './llama-text.ts';
import type { Moonshine } from './moonshine.ts';
import { endToken, frameSeconds, loadMoonshine } from './moonshine.ts';
import type { Recognised, Recogniser } from './recogniser.ts';
import { createTermPlanter } from './vocabulary-bias.ts';
import { writeWithVocabulary } from './vocabulary-changes.ts';

const leastLogProbability = -0.2;
const mostSeconds = 20;
/** Faster than any speaker; a text with more tokens was not understood. */
const mostTokensPerSecond = 6.5;

/** Moonshine, which knows only English and writes English for any language. */
export const loadEnglishRecogniser = async (folder: string): Promise<Recogniser> =>
  createEnglishRecogniser(await loadMoonshine(folder));

function createEnglishRecogniser(moonshine: Moonshine): Recogniser {
  const termsOf = createTermPlanter(llamaTerms);
  return {
    leastLogProbability,
    mostSeconds,
    async recognise(samples, signal, { vocabulary = [] } = {}) {
      const seconds = samples.length / sampleRate;
      const mostTokens = Math.ceil(seconds * mostTokensPerSecond) + 2;
      const start = await moonshine.begin(samples, signal);
      return writeWithVocabulary(termsOf(vocabulary), async (terms) => {
        const text = await decodeText(start, { endToken, mostTokens }, terms);
        return { text, recognised: describe(text, seconds) };
      });
    },
  };
}

function describe(text: DecodedText<Float32Array>, seconds: number): Recognised {
  const { tokens } = text;
  const words = writeWords(tokens);
  const isNonsense = text.isLoop || isRepetitive(words.map((word) => word.text));
  const sum = tokens.reduce((total, { logProbability }) => total + logProbability, 0);
  return {
    language: 'en',
    words,
    places: isNonsense || words.length === 0 ? undefined : placeWords(words, text, seconds),
    logProbability: tokens.length > 0 ? sum / tokens.length : 0,
    steps: tokens.length,
    isNonsense,
  };
}

/** A word cannot take longer than a slow speaker needs: the attention includes the pause before it. */
const longestSeconds = (text: string) => 0.2 + 0.1 * text.length;

function placeWords(
  words: readonly { readonly text: string; readonly from: number; readonly to: number }[],
  { attention }: DecodedText<Float32Array>,
  seconds: number,
): WordSpan[] {
  const places = placeTokens(
    attention.map((ofToken) => [ofToken]),
    seconds,
    frameSeconds,
  );
  let last = 0;
  return words.map(({ text, from, to }) => {
    const { endSeconds } = places[to - 1]!;
    const startSeconds = Math.max(last, places[from]!.startSeconds, endSeconds - longestSeconds(text));
    // Two tokens may share a frame.
    last = Math.max(endSeconds, startSeconds + frameSeconds);
    return { startSeconds, endSeconds: last };
  });
}
