import { sampleRate } from '../engine.ts';
import { contextFor, mostContextSeconds } from './context.ts';
import type { ControlTokens } from './control-tokens.ts';
import { loadControlTokens } from './control-tokens.ts';
import { loadWhisper, tinyShape } from './whisper.ts';

export interface DetectedLanguage {
  /** English unless that is very unlikely. */
  readonly language: string;
  /** The probability of English, 0 to 1. */
  readonly pEnglish: number;
}

/** Tells the language of speech. */
export interface LanguageHead {
  /** Considers at most the first 30 seconds. */
  detect(samples: Float32Array, signal: AbortSignal): Promise<DetectedLanguage>;
}

/**
 * Speech is in another language only if English is less likely than this. The likeliest language is no measure: noise
 * and radio make it wrong for English. Of 116 segments of English, the lowest probability was 0.356; of 30 segments in
 * other languages, none reached 0.05.
 */
export const foreignBelow = 0.05;

/** Whisper tiny, which writes no text here: the first step of its decoder scores the languages. */
export async function loadLanguageHead(folder: string): Promise<LanguageHead> {
  const tokens = await loadControlTokens(folder);
  const whisper = await loadWhisper({ folder, shape: tinyShape, alignmentHeads: [] });
  return {
    async detect(samples, signal) {
      const beginning = samples.subarray(0, mostContextSeconds * sampleRate);
      const encoded = await whisper.encode(beginning, contextFor(beginning));
      const { scores } = await whisper.begin(encoded, [tokens.start], signal);
      const { language, pExpected } = decideLanguage(scores[0]!, tokens);
      return { language, pEnglish: pExpected };
    },
  };
}

/** From the scores of the tokens after the start token: the expected language unless it is very unlikely. */
export function decideLanguage(
  scores: Float32Array,
  { languages }: ControlTokens,
  expected = 'en',
): { readonly language: string; readonly pExpected: number } {
  const most = Math.max(...[...languages.keys()].map((id) => scores[id]!));
  let sum = 0;
  let pExpected = 0;
  let other = { language: expected, score: -Infinity };
  for (const [id, language] of languages) {
    const score = scores[id]!;
    sum += Math.exp(score - most);
    if (language === expected) pExpected = Math.exp(score - most);
    else if (score > other.score) other = { language, score };
  }
  pExpected /= sum;
  return { language: pExpected < foreignBelow ? other.language : expected, pExpected };
}
