import { bands, computeLogMel, hopSamples } from '../whisper/log-mel.ts';
import type { EncodeSound } from './encoder.ts';
import { bandStatistics, encodedHop, encodedWidth, featureCount } from './feature-shape.ts';
import { meanSquareOf } from './level.ts';

/*
 * The features that distinguish sounds, in training and in use. They do not depend on loudness, because the sound is
 * normalised to one peak first, nor on silence around the sound: only encoder frames at most 45 dB below the loudest
 * one count.
 */

const peak = 0.9;
const activeShare = 10 ** -4.5;

/** For a window that is not silent. */
export async function computeFeatures(encode: EncodeSound, window: Float32Array): Promise<Float32Array> {
  const samples = toOnePeak(window);
  const features = new Float32Array(featureCount);
  const active = findActive(samples);
  let at = 0;
  for (const layer of await encode(samples)) {
    features.set(meanAndSpread(layer, active), at);
    at += 2 * encodedWidth;
  }
  features.set(describeBands(samples), at);
  return features;
}

function toOnePeak(samples: Float32Array): Float32Array {
  let highest = 0;
  for (const sample of samples) highest = Math.max(highest, Math.abs(sample));
  return highest > 0 ? samples.map((sample) => (sample / highest) * peak) : samples;
}

/** Returns whether an encoder frame is not quiet compared with the others. */
function findActive(samples: Float32Array): (frame: number) => boolean {
  const powerAt = (frame: number) => meanSquareOf(samples.subarray(frame * encodedHop, (frame + 2) * encodedHop));
  const powers = Array.from({ length: Math.ceil(samples.length / encodedHop) }, (_, frame) => powerAt(frame));
  const least = Math.max(...powers) * activeShare;
  return (frame) => (powers[frame] ?? 0) > least;
}

function meanAndSpread(layer: Float32Array, isActive: (frame: number) => boolean): Float32Array {
  const means = new Float64Array(encodedWidth);
  const squares = new Float64Array(encodedWidth);
  let count = 0;
  for (let frame = 0; (frame + 1) * encodedWidth <= layer.length; frame++) {
    if (!isActive(frame)) continue;
    count += 1;
    for (let at = 0; at < encodedWidth; at++) {
      const value = layer[frame * encodedWidth + at]!;
      means[at]! += value;
      squares[at]! += value * value;
    }
  }
  const described = new Float32Array(2 * encodedWidth);
  for (let at = 0; at < encodedWidth; at++) {
    const mean = means[at]! / Math.max(1, count);
    described[at] = mean;
    described[encodedWidth + at] = Math.sqrt(Math.max(0, squares[at]! / Math.max(1, count) - mean * mean));
  }
  return described;
}

/** For each band: mean, standard deviation, maximum, lowest tenth and change over time. */
function describeBands(samples: Float32Array): Float32Array {
  const frames = Math.floor(samples.length / hopSamples);
  const picture = computeLogMel(samples, frames);
  const described = new Float32Array(bandStatistics * bands);
  for (let band = 0; band < bands; band++) {
    const levels = picture.subarray(band * frames, (band + 1) * frames);
    const steps = levels.subarray(1).map((level, at) => level - levels[at]!);
    const sorted = levels.toSorted();
    const values = [
      meanOf(levels),
      spreadOf(levels),
      sorted.at(-1)!,
      sorted[Math.floor(0.1 * (frames - 1))]!,
      spreadOf(steps),
      meanOf(steps.map(Math.abs)),
    ];
    for (const [statistic, value] of values.entries()) described[statistic * bands + band] = value;
  }
  return described;
}

const meanOf = (values: Float32Array): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

function spreadOf(values: Float32Array): number {
  const mean = meanOf(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length));
}
