import type { Placed } from './aligner.ts';

/** A word as a recogniser wrote it. */
export interface WrittenWord {
  readonly text: string;
  /** The mean over the parts of the word. */
  readonly logProbability: number;
}

/** What a recogniser made of one stretch of speech. */
export interface Recognised {
  readonly language: string;
  readonly words: readonly WrittenWord[];
  /** One for each word; undefined where they cannot be told. */
  readonly places: readonly Placed[] | undefined;
  /** The mean over all steps, and how many they were: how sure the recogniser was of what it wrote. */
  readonly logProbability: number;
  readonly steps: number;
  /** Certainly nothing that was said, such as a loop. */
  readonly isNonsense: boolean;
}

export interface Recogniser {
  /** How much speech it is best given at once. */
  readonly mostSeconds: number;
  recognise(samples: Float32Array, signal: AbortSignal): Promise<Recognised>;
  /** Below this mean, measured, what is written has little to do with what was said. */
  readonly leastLogProbability: number;
}

/** Where it is enough to know that somebody speaks. */
export const understandsNothing: Recogniser = {
  mostSeconds: 20,
  leastLogProbability: 0,
  recognise: () =>
    Promise.resolve({ language: '', words: [], places: undefined, logProbability: 0, steps: 0, isNonsense: true }),
};
