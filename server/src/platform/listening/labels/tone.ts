import { sampleRate } from '../engine.ts';
import { createPowerSpectrum } from '../whisper/fourier.ts';
import { LabelSpans } from './label-spans.ts';
import type { SignalDetector } from './level.ts';
import { silenceDb, toDb } from './level.ts';

/*
 * A steady tone, such as a beep or a hum: for at least 0.4 s, at least 85 % of the power is in at most six narrow peaks
 * (a tone and its overtones), the strongest peak stays within half a bin of 16 Hz or half a percent, and its level
 * within 6 dB. Wind and rumble also have few frequencies, but do not hold one; voices and birds hold one only briefly.
 */

const frameSamples = 1_024;
const peaks = 6;
/** The width of a peak on each side, in bins. */
const reach = 2;
const leastShare = 0.85;
const leastHertz = 40;
const steadyBins = 0.5;
const steadyShare = 0.005;
const steadyDb = 6;
const leastMs = 400;

const binHertz = sampleRate / frameSamples;
const hann = Float32Array.from(
  { length: frameSamples },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / frameSamples),
);

/** The strongest peak of a frame in which most of the power is in a few peaks. */
interface Tone {
  /** In bins, with fractions. */
  readonly bin: number;
  readonly db: number;
  readonly share: number;
}

/** Receives windows of half a frame. */
export function createToneDetector(): SignalDetector {
  const powerSpectrum = createPowerSpectrum(frameSamples);
  const frame = new Float32Array(frameSamples);
  const tones = new LabelSpans('tone', 100);
  let processedSamples = 0;
  let run: { first: Tone; startMs: number; endMs: number; shares: number; count: number } | undefined;

  const endRun = () => {
    if (run && run.endMs - run.startMs >= leastMs) tones.add(run.startMs, run.endMs, (100 * run.shares) / run.count);
    run = undefined;
  };

  return {
    push(samples) {
      frame.copyWithin(0, samples.length);
      frame.set(samples, frameSamples - samples.length);
      processedSamples += samples.length;
      if (processedSamples < frameSamples) return;
      const tone = findTone(powerSpectrum(frame.map((sample, at) => sample * hann[at]!)));
      const endMs = (processedSamples / sampleRate) * 1_000;
      const startMs = endMs - (frameSamples / sampleRate) * 1_000;
      if (!tone || (run && !isSame(run.first, tone))) endRun();
      if (!tone) return;
      run ??= { first: tone, startMs, endMs, shares: 0, count: 0 };
      run = { ...run, endMs, shares: run.shares + tone.share, count: run.count + 1 };
    },
    end(soundMs) {
      endRun();
      return tones.list(soundMs);
    },
  };
}

const isSame = (one: Tone, other: Tone) =>
  Math.abs(one.bin - other.bin) <= Math.max(steadyBins, one.bin * steadyShare) &&
  Math.abs(one.db - other.db) <= steadyDb;

function findTone(power: Float32Array): Tone | undefined {
  // A constant offset is not sound.
  const from = Math.floor(leastHertz / binHertz) + 1;
  const left = Float64Array.from(power);
  left.fill(0, 0, from - reach);
  const total = left.reduce((sum, value) => sum + value, 0);
  // The window function passes 3/8 of the power, and half of the spectrum contains half of it.
  const db = toDb((total * 2) / (frameSamples ** 2 * 0.375));
  if (db < silenceDb) return undefined;
  let strongest: number | undefined;
  let taken = 0;
  for (let peak = 0; peak < peaks; peak++) {
    let at = from;
    for (let bin = from; bin < left.length; bin++) if (left[bin]! > left[at]!) at = bin;
    strongest ??= at;
    for (let bin = at - reach; bin <= Math.min(at + reach, left.length - 1); bin++) {
      taken += left[bin]!;
      left[bin] = 0;
    }
  }
  const share = taken / total;
  if (share < leastShare) return undefined;
  return { bin: centreOf(power, strongest!), db, share };
}

/** The position of a peak between the bins. */
function centreOf(power: Float32Array, at: number): number {
  const [low, middle, high] = [at - 1, at, at + 1].map((bin) => Math.log((power[bin] ?? 0) + 1e-20)) as [
    number,
    number,
    number,
  ];
  const curve = low - 2 * middle + high;
  return curve < 0 ? at + (0.5 * (low - high)) / curve : at;
}
