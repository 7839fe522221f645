import { sampleRate } from '../engine.ts';
import { placeTokens } from '../whisper/attention-times.ts';
import type { WordSpan } from './aligner.ts';
import type { DecodedText } from './decode-text.ts';
import { decodeText } from './decode-text.ts';
import { isRepetitive } from './decoding.ts';
import { writeWords } from './llama-text.ts';
import type { Moonshine } from './moonshine.ts';
import { frameSeconds, loadMoonshine } from './moonshine.ts';
import type { Recognised, Recogniser } from './recogniser.ts';
import type { TermNode } from './vocabulary-bias.ts';
import { plantTerms } from './vocabulary-bias.ts';
import { markChanges } from './vocabulary-changes.ts';

const leastLogProbability = -0.2;
const mostSeconds = 20;
/** Faster than any speaker; a text with more tokens was not understood. */
const mostTokensPerSecond = 6.5;

/** Moonshine, which knows only English and writes English for any language. */
export const loadEnglishRecogniser = async (folder: string): Promise<Recogniser> =>
  createEnglishRecogniser(await loadMoonshine(folder));

function createEnglishRecogniser(moonshine: Moonshine): Recogniser {
  /** All stretches of a clip have the same vocabulary. */
  const planted = new WeakMap<readonly string[], { readonly terms: TermNode | undefined }>();
  const termsOf = (vocabulary: readonly string[]) => {
    const known = planted.get(vocabulary) ?? { terms: plantTerms(vocabulary) };
    planted.set(vocabulary, known);
    return known.terms;
  };
  return {
    leastLogProbability,
    mostSeconds,
    async recognise(samples, signal, _language, vocabulary = []) {
      const seconds = samples.length / sampleRate;
      const mostTokens = Math.ceil(seconds * mostTokensPerSecond) + 2;
      const start = await moonshine.begin(samples, signal);
      const terms = termsOf(vocabulary);
      const text = await decodeText(start, mostTokens, terms);
      const recognised = describe(text, seconds);
      if (!terms || (!text.isBiased && !text.isLoop)) return recognised;
      const unbiased = describe(await decodeText(start, mostTokens), seconds);
      // A vocabulary must not turn a text into nonsense, nor nonsense into a text.
      if (recognised.isNonsense || unbiased.isNonsense) return unbiased;
      // The vocabulary must not decide whether the speech was understood.
      const { logProbability } = unbiased;
      return { ...recognised, logProbability, words: markChanges(recognised.words, unbiased.words) };
    },
  };
}

function describe(text: DecodedText, seconds: number): Recognised {
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
  { attention }: DecodedText,
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
