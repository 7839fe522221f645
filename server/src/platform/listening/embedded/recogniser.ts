import type { WordSpan } from './aligner.ts';

/** A word as the recogniser wrote it. */
export interface WrittenWord {
  readonly text: string;
  /** The mean over the tokens of the word. */
  readonly logProbability: number;
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
  /** `language` is that of the clip, if it is decided. */
  recognise(samples: Float32Array, signal: AbortSignal, language?: string): Promise<Recognised>;
  /** Texts with a lower mean have little to do with the speech; found by measurement. */
  readonly leastLogProbability: number;
}

/** Used when only the presence of speech matters. */
export const voiceOnlyRecogniser: Recogniser = {
  mostSeconds: 20,
  leastLogProbability: 0,
  recognise: () =>
    Promise.resolve({ language: '', words: [], places: undefined, logProbability: 0, steps: 0, isNonsense: true }),
};
