import { sampleRate } from '../engine.ts';
import { createPowerSpectrum } from './fourier.ts';

/*
 * The spectrogram that Whisper was trained on: 80 mel bands, 100 frames per second, 30 seconds, logarithmic, limited to
 * 80 dB below the maximum.
 */

const frameSamples = 400;
export const hopSamples = 160;
export const bands = 80;
export const frames = 3_000;
const bins = frameSamples / 2 + 1;

const hann = Float32Array.from(
  { length: frameSamples },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / frameSamples),
);
const filters = createFilters();
const powerSpectrum = createPowerSpectrum(frameSamples);

/** For at most 30 seconds, or for `count` frames; missing sound is silence. */
export function computeLogMel(samples: Float32Array, count = frames): Float32Array {
  const picture = new Float32Array(bands * count).fill(-10);
  const frame = new Float32Array(frameSamples);
  const last = Math.min(count, Math.ceil((samples.length + frameSamples / 2) / hopSamples));
  let loudest = -10;
  for (let at = 0; at < last; at++) {
    for (let sample = 0; sample < frameSamples; sample++) {
      // The first frame is centred on the start of the sound, which is mirrored there.
      const from = Math.abs(at * hopSamples + sample - frameSamples / 2);
      frame[sample] = (samples[from] ?? 0) * hann[sample]!;
    }
    const power = powerSpectrum(frame);
    for (const [band, { first, weights }] of filters.entries()) {
      let sum = 0;
      for (let bin = 0; bin < weights.length; bin++) sum += weights[bin]! * power[first + bin]!;
      const level = Math.log10(Math.max(sum, 1e-10));
      picture[band * count + at] = level;
      if (level > loudest) loudest = level;
    }
  }
  return picture.map((level) => (Math.max(level, loudest - 8) + 4) / 4);
}

interface Filter {
  /** The first bin with a weight. */
  readonly first: number;
  readonly weights: Float32Array;
}

/** Triangles of equal area, evenly spaced on Slaney's mel scale: linear up to 1 kHz, logarithmic above. */
function createFilters(): Filter[] {
  const step = Math.log(6.4) / 27;
  const toMel = (hertz: number) => (hertz < 1_000 ? (3 * hertz) / 200 : 15 + Math.log(hertz / 1_000) / step);
  const toHertz = (mel: number) => (mel < 15 ? (200 * mel) / 3 : 1_000 * Math.exp(step * (mel - 15)));
  const most = toMel(sampleRate / 2);
  const edges = Array.from({ length: bands + 2 }, (_, at) => toHertz((most * at) / (bands + 1)));
  return Array.from({ length: bands }, (_, band) => {
    const [low, middle, high] = [edges[band]!, edges[band + 1]!, edges[band + 2]!];
    const all = Float32Array.from({ length: bins }, (__, bin) => {
      const hertz = (bin * sampleRate) / frameSamples;
      const height = Math.min((hertz - low) / (middle - low), (high - hertz) / (high - middle));
      return (Math.max(0, height) * 2) / (high - low);
    });
    const first = all.findIndex((weight) => weight > 0);
    const end = all.findLastIndex((weight) => weight > 0) + 1;
    return { first: Math.max(0, first), weights: all.slice(Math.max(0, first), end) };
  });
}
