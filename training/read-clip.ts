import { readFileSync } from 'node:fs';
import { Resampler } from '@earshot/server/platform/media/js-resampler';
import { sampleRate } from '@earshot/server/platform/listening/engine';
import { featureWindowSamples } from '@earshot/server/platform/listening/labels/feature-shape';

/** Five seconds of a 16-bit mono WAV file, resampled to the rate of the engines. */
export function readTrainingClip(path: string): Float32Array {
  const bytes = readFileSync(path);
  const isPlain =
    bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.readUInt16LE(22) === 1 && bytes.readUInt16LE(34) === 16;
  const start = bytes.indexOf('data') + 8;
  if (!isPlain || start < 8) throw new Error(`${path} is not a WAV file with 16 bits and one channel`);
  const samples = Float32Array.from({ length: (bytes.length - start) >> 1 }, (_, at) => {
    return bytes.readInt16LE(start + 2 * at) / 32_768;
  });
  // Uses our own resampler, so that the same file gives the same samples on every machine.
  const resampler = new Resampler(bytes.readUInt32LE(24), sampleRate);
  const clip = new Float32Array(featureWindowSamples);
  const body = resampler.push(samples).subarray(0, featureWindowSamples);
  clip.set(body);
  clip.set(resampler.finish().subarray(0, featureWindowSamples - body.length), body.length);
  return clip;
}
