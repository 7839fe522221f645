import { sampleRate } from '../engine.ts';
import type { Label } from '../engine.ts';
import { LabelSpans } from './label-spans.ts';

/*
 * Labels from the level alone. All levels are in dB of full scale (dBFS) as root mean square: a full-scale sine has -3
 * dBFS, speech is usually recorded at about -25.
 *
 * - silence: below -60 dBFS for at least one second, measured every 32 ms. Certain from -70 dBFS.
 * - loud: at least -10 dBFS over half a second. Certain from -5 dBFS.
 * - clipping: within half a second at least 8 samples are at -0.2 dBFS or more, and twice as many as in the 0.7 dB
 *   below. Sound that only comes near the limit, even a full-scale sine, has fewer samples there. Certain from six times
 *   as many.
 */

export const silenceDb = -60;
const surelySilentDb = -70;
const leastSilenceMs = 1_000;
const loudDb = -10;
const surelyLoudDb = -5;
const blockSamples = sampleRate / 2;
const limit = 0.98;
const belowLimit = 0.9;
const leastAtLimit = 8;
const clippedRatio = 2;
const surelyClippedRatio = 6;
/** The confidence of a value at the threshold. */
const justSure = 60;

export const toDb = (meanSquare: number): number => 10 * Math.log10(Math.max(meanSquare, 1e-20));

export function meanSquareOf(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return samples.length > 0 ? sum / samples.length : 0;
}

/** Interpolates between the threshold and the value at which a label is certain. */
const confidenceOf = (value: number, just: number, surely: number): number =>
  justSure + (100 - justSure) * Math.min(1, Math.max(0, (value - just) / (surely - just)));

export interface SignalDetector {
  /** The next samples of the clip. */
  push(samples: Float32Array): void;
  /** The labels, at the end of the clip. */
  end(soundMs: number): Label[];
}

const toMs = (samples: number) => (samples / sampleRate) * 1_000;

export function createLevelDetector(): SignalDetector {
  const silence = new LabelSpans('silence');
  const loud = new LabelSpans('loud');
  const clipping = new LabelSpans('clipping');
  let processedSamples = 0;
  let block = { samples: 0, squares: 0, atLimit: 0, below: 0 };

  const endBlock = () => {
    const { samples, squares, atLimit, below } = block;
    const [startMs, endMs] = [toMs(processedSamples - samples), toMs(processedSamples)];
    const db = toDb(squares / samples);
    if (db >= loudDb) loud.add(startMs, endMs, confidenceOf(db, loudDb, surelyLoudDb));
    const ratio = atLimit / Math.max(1, below);
    if (atLimit >= leastAtLimit && ratio >= clippedRatio) {
      clipping.add(startMs, endMs, confidenceOf(ratio, clippedRatio, surelyClippedRatio));
    }
    block = { samples: 0, squares: 0, atLimit: 0, below: 0 };
  };

  return {
    push(samples) {
      const db = toDb(meanSquareOf(samples));
      if (db < silenceDb) {
        const confidence = confidenceOf(db, silenceDb, surelySilentDb);
        silence.add(toMs(processedSamples), toMs(processedSamples + samples.length), confidence);
      }
      for (const sample of samples) {
        const level = Math.abs(sample);
        block.squares += sample * sample;
        if (level >= limit) block.atLimit += 1;
        else if (level >= belowLimit) block.below += 1;
      }
      block.samples += samples.length;
      processedSamples += samples.length;
      if (block.samples >= blockSamples) endBlock();
    },
    end(soundMs) {
      // The rest is judged if it is long enough.
      if (block.samples >= blockSamples / 2) endBlock();
      return [...silence.list(soundMs, leastSilenceMs), ...loud.list(soundMs), ...clipping.list(soundMs)];
    },
  };
}
