import type { Sound } from '../engine.ts';
import { sampleRate } from '../engine.ts';

/** A part of a clip that is sent in one call. */
export interface ClipPart {
  readonly startMs: number;
  readonly samples: Float32Array;
}

/** 19 MB as WAV, below the limit of all supported servers. */
const mostSamples = 10 * 60 * sampleRate;
/** A part is cut at the quietest point within its last seconds. */
const cutWithin = 20 * sampleRate;
const quietSamples = sampleRate / 5;

/** Splits a clip into parts that are small enough to send, at quiet points instead of within words. */
export async function* inParts(sound: Sound, most = mostSamples): AsyncGenerator<ClipPart> {
  let buffer = new Float32Array(Math.min(most, 60 * sampleRate));
  let filled = 0;
  let start = 0;
  for await (const chunk of sound) {
    for (let at = 0; at < chunk.length;) {
      if (filled === buffer.length && filled < most) buffer = grow(buffer, Math.min(most, filled * 2));
      const taken = chunk.subarray(at, at + buffer.length - filled);
      buffer.set(taken, filled);
      at += taken.length;
      filled += taken.length;
      if (filled < most) continue;
      const end = findQuiet(buffer, Math.max(quietSamples, most - cutWithin));
      yield { startMs: toMs(start), samples: buffer.slice(0, end) };
      buffer.copyWithin(0, end);
      filled -= end;
      start += end;
    }
  }
  if (filled > 0) yield { startMs: toMs(start), samples: buffer.slice(0, filled) };
}

const toMs = (samples: number) => Math.round((samples / sampleRate) * 1_000);

function grow(buffer: Float32Array, length: number): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(length);
  larger.set(buffer);
  return larger;
}

/** The middle of the quietest span after `from`. */
function findQuiet(samples: Float32Array, from: number): number {
  let quietest = Infinity;
  let found = samples.length;
  for (let at = from; at + quietSamples <= samples.length; at += quietSamples / 2) {
    let energy = 0;
    for (let sample = at; sample < at + quietSamples; sample++) energy += samples[sample]! ** 2;
    if (energy < quietest) {
      quietest = energy;
      found = at + quietSamples / 2;
    }
  }
  return found;
}
