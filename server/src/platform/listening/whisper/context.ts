import { sampleRate } from '../engine.ts';

/** The encoder has a position for each 20 ms of at most 30 seconds. */
const positionsPerSecond = 50;
export const mostPositions = 1_500;
export const mostContextSeconds = mostPositions / positionsPerSecond;

/** In steps, so that the runtime can reuse its memory. */
const step = 50;
/** Silence after the sound, as in the sound that Whisper was trained with. */
const margin = 25;

/** How many positions of the encoder a stretch of sound needs: the cost of the encoder grows with them. */
export function contextFor(samples: Float32Array): number {
  const needed = (samples.length / sampleRate) * positionsPerSecond + margin;
  return Math.min(mostPositions, Math.ceil(needed / step) * step);
}
