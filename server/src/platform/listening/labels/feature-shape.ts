import { sampleRate } from '../engine.ts';
import { bands } from '../whisper/log-mel.ts';

/** Counted up with every change of what is computed of a window: weights fit to one version only. */
export const featureVersion = 1;

export const windowSeconds = 5;
export const windowSamples = windowSeconds * sampleRate;
/** What is shorter tells too little. */
export const leastSamples = sampleRate / 2;

/** How wide a vector of the encoder is, and the samples between two of them. */
export const encodedWidth = 288;
export const encodedHop = 384;

// What the layers add up to after the first and the third of six. On held-out sound they tell more of it apart than the
// last one, whose business is words.
export const encodedLayers = ['/layers.0/Add_1_output_0', '/layers.2/Add_1_output_0'] as const;

export const bandStatistics = 6;

export const featureCount = encodedLayers.length * 2 * encodedWidth + bandStatistics * bands;
