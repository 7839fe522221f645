import { sampleRate } from '../engine.ts';
import type { SpokenLanguages } from '../spoken-languages.ts';
import type { Speech } from './gate.ts';

/** Returns the language of speech: English unless that is very unlikely, or not among those that are spoken. */
export type DetectLanguage = (samples: Float32Array, signal: AbortSignal, spoken: SpokenLanguages) => Promise<string>;

/** The language of a clip is decided as soon as it has this much speech, or at its end. */
const enoughSeconds = 3;
/** Considered at most, because the detector does not consider more. */
const mostSeconds = 30;
/** A shorter stretch is not decided alone. */
const leastSeconds = 1.5;

export const isEnoughSpeech = (stretches: readonly Speech[]): boolean =>
  stretches.reduce((sum, { samples }) => sum + samples.length, 0) >= enoughSeconds * sampleRate;

export const isLongEnough = (samples: Float32Array): boolean => samples.length >= leastSeconds * sampleRate;

/** The first seconds of some stretches. */
export function joinStretches(stretches: readonly Speech[]): Float32Array {
  const most = mostSeconds * sampleRate;
  const length = stretches.reduce((sum, { samples }) => sum + samples.length, 0);
  const joined = new Float32Array(Math.min(most, length));
  let at = 0;
  for (const { samples } of stretches) {
    joined.set(samples.subarray(0, joined.length - at), at);
    at = Math.min(joined.length, at + samples.length);
  }
  return joined;
}
