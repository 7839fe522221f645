import { sampleRate } from '../engine.ts';
import { bands } from '../whisper/log-mel.ts';

/** Increase it with every change of the features: weights fit only one version. */
export const featureVersion = 1;

const windowSeconds = 5;
export const featureWindowSamples = windowSeconds * sampleRate;
/** Shorter sound is not classified. */
export const leastSamples = sampleRate / 2;

/** The width of a vector of the encoder, and the samples between two vectors. */
export const encodedWidth = 288;
export const encodedHop = 384;

// The sums after the first and the third of six layers. On held-out sound they distinguish sounds better than the last
// layer, which is specialised in words.
export const encodedLayers = ['/layers.0/Add_1_output_0', '/layers.2/Add_1_output_0'] as const;

export const bandStatistics = 6;

export const featureCount = encodedLayers.length * 2 * encodedWidth + bandStatistics * bands;
