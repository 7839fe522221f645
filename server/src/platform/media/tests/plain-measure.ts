import type { Sound, WavKind } from './sound-maker.ts';
import { wavBytes } from './sound-maker.ts';
import type { MeasuredSound } from '../measure/measured-sound.ts';

/*
 * The facts of a sound by their definitions, with loops over all samples. It shares no code with what it tests.
 */

export const ofChannels = (rate: number, channels: readonly Float64Array[]): Sound => ({ rate, channels });

/** Writes the block at `from` so many times, one after the other, in place of what follows. */
export function withBlock({ rate, channels }: Sound, from: number, length: number, times: number): Sound {
  const repeat = (samples: Float64Array): Float64Array => {
    const copy = Float64Array.from(samples);
    for (let at = 0; at < length * times; at += 1) copy[from + at] = samples[from + (at % length)]!;
    return copy;
  };
  return ofChannels(rate, channels.map(repeat));
}

/** What is left of a sound in a WAV file of this kind. */
function samplesIn(sound: Sound, kind: WavKind): number[][] {
  const count = sound.channels.length;
  const data = wavBytes(sound, kind).subarray(44);
  const readers: Readonly<Record<WavKind, [number, (at: number) => number]>> = {
    u8: [1, (at) => (data.readUInt8(at) - 128) / 2 ** 7],
    s16: [2, (at) => data.readInt16LE(at) / 2 ** 15],
    s24: [3, (at) => data.readIntLE(at, 3) / 2 ** 23],
    s32: [4, (at) => data.readInt32LE(at) / 2 ** 31],
    f32: [4, (at) => data.readFloatLE(at)],
  };
  const [bytes, read] = readers[kind];
  return Array.from({ length: count }, (_, channel) =>
    Array.from({ length: sound.channels[0]!.length }, (_value, frame) => read((frame * count + channel) * bytes)),
  );
}

const toDb = (value: number): number => (value === 0 ? -150 : Math.round(2000 * Math.log10(value)) / 100 + 0);

export function measurePlainly(sound: Sound, kind: WavKind): MeasuredSound {
  const { rate } = sound;
  const channels = samplesIn(sound, kind);
  const all = channels.flat();
  const frames = channels[0]!.length;
  return {
    soundMs: Math.round((frames * 1000) / rate),
    levelDb: toDb(Math.sqrt(all.reduce((sum, value) => sum + value * value, 0) / all.length)),
    peakDb: toDb(all.reduce((most, value) => Math.max(most, Math.abs(value)), 0)),
    clippedPercent:
      Math.round((all.filter((value) => Math.abs(value) >= 0.999).length * 1_000_000) / all.length) / 10_000,
    isDigitalSilence: channels.every((samples) => samples.every((value) => Math.abs(value - samples[0]!) < 2 ** -16)),
    repeatedMs: Math.round((countRepeated(channels, rate) * 1000) / rate),
  };
}

/** Frames of sound that repeats exactly the sound before it. Tries every distance. */
export function countRepeated(channels: readonly ArrayLike<number>[], rate: number): number {
  const numbers = new Map<string, number>();
  const frames = Array.from({ length: channels[0]!.length }, (_, at) => {
    const name = channels.map((samples) => samples[at]).join();
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    return numbers.get(name)!;
  });
  const [shortest, longest] = [Math.round(rate * 0.02), rate];
  const isTone = (from: number, to: number): boolean => {
    for (let period = 1; period < shortest; period += 1) {
      let at = from + period;
      while (at < to && frames[at] === frames[at - period]) at += 1;
      if (at >= to) return true;
    }
    return false;
  };
  const repeated = new Set<number>();
  for (let distance = shortest; distance <= longest; distance += 1) {
    let start = distance;
    for (let end = distance; end <= frames.length; end += 1) {
      if (end < frames.length && frames[end] === frames[end - distance]) continue;
      if (end - start >= distance && !isTone(end - distance, end))
        for (let at = start; at < end; at += 1) repeated.add(at);
      start = end + 1;
    }
  }
  return repeated.size;
}
