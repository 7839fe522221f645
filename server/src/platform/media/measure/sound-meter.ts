import type { MeasuredSound } from './measured-sound.ts';
import { clippedFrom, lowestDb, silentWithin } from './measured-sound.ts';
import { RepeatFinder } from './repeat-finder.ts';

export interface MeteredShape {
  readonly sampleRate: number;
  readonly channels: number;
  /** Whether the samples are those that the recorder wrote. */
  readonly isLossless: boolean;
}

/** Measures sound while it streams. Its memory does not depend on the length of the sound. */
export class SoundMeter {
  readonly #shape: MeteredShape;
  readonly #repeats: RepeatFinder | undefined;
  readonly #lowest: Float32Array;
  readonly #highest: Float32Array;
  #samples = 0;
  #squares = 0;
  #clipped = 0;

  constructor(shape: MeteredShape) {
    this.#shape = shape;
    this.#repeats = shape.isLossless ? new RepeatFinder(shape.sampleRate, shape.channels) : undefined;
    this.#lowest = new Float32Array(shape.channels).fill(Infinity);
    this.#highest = new Float32Array(shape.channels).fill(-Infinity);
  }

  /** Whole frames, interleaved. */
  push(samples: Float32Array): void {
    const { channels } = this.#shape;
    for (let channel = 0; channel < channels; channel += 1) this.#measure(samples, channel, channels);
    this.#samples += samples.length;
    this.#repeats?.push(samples);
  }

  /** Undefined if there was no sample. */
  finish(): MeasuredSound | undefined {
    const { sampleRate, channels } = this.#shape;
    if (this.#samples === 0) return undefined;
    const toMs = (frames: number): number => Math.round((frames * 1000) / sampleRate);
    const ranges = [...this.#highest].map((highest, channel) => highest - this.#lowest[channel]!);
    const peak = [...this.#highest, ...this.#lowest].reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const repeated = this.#repeats?.finish();
    return {
      soundMs: toMs(this.#samples / channels),
      levelDb: toDb(Math.sqrt(this.#squares / this.#samples)),
      peakDb: toDb(peak),
      clippedPercent: toPercent(this.#clipped, this.#samples),
      isDigitalSilence: ranges.every((range) => range < silentWithin),
      repeatedMs: repeated === undefined ? undefined : toMs(repeated),
    };
  }

  #measure(samples: Float32Array, channel: number, channels: number): void {
    let lowest = this.#lowest[channel]!;
    let highest = this.#highest[channel]!;
    let squares = 0;
    let clipped = 0;
    for (let at = channel; at < samples.length; at += channels) {
      let value = samples[at]!;
      // Sound of floating-point samples can contain values that are no number.
      if (value - value !== 0) value = value > 0 ? 1 : value < 0 ? -1 : 0;
      squares += value * value;
      if (value < lowest) lowest = value;
      if (value > highest) highest = value;
      if (value >= clippedFrom || value <= -clippedFrom) clipped += 1;
    }
    this.#lowest[channel] = lowest;
    this.#highest[channel] = highest;
    this.#squares += squares;
    this.#clipped += clipped;
  }
}

/** In hundredths, so that a stored value is exactly the one that is shown. */
const toDb = (value: number): number =>
  value === 0 ? lowestDb : Math.max(lowestDb, Math.round(2000 * Math.log10(value)) / 100 || 0);

const percentSteps = 10_000;

/** In ten-thousandths; one clipped sample is never 0, and one that is not clipped never 100. */
function toPercent(count: number, all: number): number {
  const steps = Math.round((count * 100 * percentSteps) / all);
  if (count === 0 || count === all) return steps / percentSteps;
  return Math.min(Math.max(steps, 1), 100 * percentSteps - 1) / percentSteps;
}
