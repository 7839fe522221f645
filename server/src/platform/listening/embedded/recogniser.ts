import type { SpokenLanguages } from '../spoken-languages.ts';
import type { WordSpan } from './aligner.ts';

/** A word as the recogniser wrote it. */
export interface WrittenWord {
  readonly text: string;
  /** The mean over the tokens of the word. */
  readonly logProbability: number;
  /** What it would have written without the vocabulary, if that differs. */
  readonly heardAs?: string | undefined;
}

/** The text that a recogniser found in a stretch of speech. */
export interface Recognised {
  readonly language: string;
  readonly words: readonly WrittenWord[];
  /** One for each word; undefined if they are not known. */
  readonly places: readonly WordSpan[] | undefined;
  /** The mean over all steps, and the number of steps. */
  readonly logProbability: number;
  readonly steps: number;
  /** The text is certainly wrong, for example a loop. */
  readonly isNonsense: boolean;
}

export interface Recogniser {
  /** The longest stretch of speech to pass at once. */
  readonly mostSeconds: number;
  /** A text with a lower mean is unsure; found by measurement. */
  readonly leastLogProbability: number;
  recognise(samples: Float32Array, signal: AbortSignal, expected?: Expected): Promise<Recognised>;
}

/** What is likely to be said. */
export interface Expected {
  /** The language of the speech, if it is decided. */
  readonly language?: string | undefined;
  readonly spoken?: SpokenLanguages | undefined;
  /** Names and terms. */
  readonly vocabulary?: readonly string[] | undefined;
}

/** Whether nothing was written, or nothing that makes sense. */
export const isWordless = ({ words, isNonsense }: Recognised): boolean => isNonsense || words.length === 0;

/** Whether the text should not be trusted. A recogniser is never sure that there are no words. */
export const isUnsure = (recognised: Recognised, { leastLogProbability }: Recogniser): boolean =>
  isWordless(recognised) || recognised.logProbability < leastLogProbability;
