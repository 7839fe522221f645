import type { Media } from '@earshot/server/platform/media/media';

/** All sound of a file, mixed to one channel. */
export async function hear(media: Media, path: string, sampleRate: number, channels: 1 | 2 = 1): Promise<Float32Array> {
  const chunks: Float32Array[] = [];
  for await (const chunk of media.decode(path, { sampleRate, channels })) chunks.push(chunk.slice());
  const all = new Float32Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** The amplitude of a frequency in the samples (Goertzel). */
export function levelOf(samples: Float32Array, rate: number, frequency: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * frequency) / rate);
  let [before, last] = [0, 0];
  for (const sample of samples) [before, last] = [last, sample + coefficient * last - before];
  const power = before ** 2 + last ** 2 - coefficient * before * last;
  return (2 * Math.sqrt(Math.max(0, power))) / samples.length;
}

export const loudest = (samples: Float32Array): number =>
  samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);

/** A part of the sound, in milliseconds from its beginning. */
export const between = (samples: Float32Array, rate: number, fromMs: number, toMs: number): Float32Array =>
  samples.subarray(Math.round((fromMs * rate) / 1000), Math.round((toMs * rate) / 1000));
