import { readFileSync } from 'node:fs';
import { Resampler } from '../../../media/js-resampler.ts';
import { sampleRate } from '../../engine.ts';
import { windowSamples } from '../feature-shape.ts';

/** Five seconds of a wave file of 16 bits and one channel, at the rate that everything here has. */
export function readClip(path: string): Float32Array {
  const bytes = readFileSync(path);
  const isPlain =
    bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.readUInt16LE(22) === 1 && bytes.readUInt16LE(34) === 16;
  const start = bytes.indexOf('data') + 8;
  if (!isPlain || start < 8) throw new Error(`${path} is no wave file of 16 bits and one channel`);
  const samples = Float32Array.from({ length: (bytes.length - start) >> 1 }, (_, at) => {
    return bytes.readInt16LE(start + 2 * at) / 32_768;
  });
  // Ours rather than any that is installed: the same file gives the same samples everywhere.
  const resampler = new Resampler(bytes.readUInt32LE(24), sampleRate);
  const clip = new Float32Array(windowSamples);
  const body = resampler.push(samples).subarray(0, windowSamples);
  clip.set(body);
  clip.set(resampler.finish().subarray(0, windowSamples - body.length), body.length);
  return clip;
}
