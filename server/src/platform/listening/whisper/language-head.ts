import { sampleRate } from '../engine.ts';
import type { ChosenLanguage, SpokenLanguages } from '../spoken-languages.ts';
import { anyLanguage, chooseLanguage } from '../spoken-languages.ts';
import { contextFor, mostContextSeconds } from './context.ts';
import type { ControlTokens } from './control-tokens.ts';
import { loadControlTokens } from './control-tokens.ts';
import { loadWhisper, tinyShape } from './whisper.ts';

/** Tells the language of speech. */
export interface LanguageHead {
  /** Considers at most the first 30 seconds. */
  detect(samples: Float32Array, signal: AbortSignal, spoken?: SpokenLanguages): Promise<ChosenLanguage>;
}

/** Whisper tiny, which writes no text here: the first step of its decoder scores the languages. */
export async function loadLanguageHead(folder: string): Promise<LanguageHead> {
  const tokens = await loadControlTokens(folder);
  const whisper = await loadWhisper({ folder, shape: tinyShape, alignmentHeads: [] });
  return {
    async detect(samples, signal, spoken) {
      const beginning = samples.subarray(0, mostContextSeconds * sampleRate);
      const encoded = await whisper.encode(beginning, contextFor(beginning));
      const { scores } = await whisper.begin(encoded, [tokens.start], signal);
      return decideLanguage(scores[0]!, tokens, spoken);
    },
  };
}

/** From the scores of the tokens after the start token: the expected language unless it is very unlikely. */
export function decideLanguage(
  scores: Float32Array,
  { languages }: ControlTokens,
  spoken: SpokenLanguages = anyLanguage,
  expected = 'en',
): ChosenLanguage {
  const most = Math.max(...[...languages.keys()].map((id) => scores[id]!));
  const powers = [...languages].map(([id, language]) => [language, Math.exp(scores[id]! - most)] as const);
  const sum = powers.reduce((total, [, power]) => total + power, 0);
  return chooseLanguage(new Map(powers.map(([language, power]) => [language, power / sum])), spoken, expected);
}
