import { stat } from 'node:fs/promises';
import type { ChildLimits } from './child.ts';
import { MediaError } from './media-error.ts';
import type { SoundFile } from './sound.ts';
import { longestSoundMs } from './sound.ts';

/*
 * Limits of the cost of reading one file. A file of kilobytes can contain a day of silence in millions of packets. A
 * file of gigabytes takes long to read without being hostile, so the limit grows with its size.
 */

const bytesPerMs = 20_000;
/** On a busy machine, elapsed time is longer than processor time. */
const wallTimes = 5;

const limitsOf = (cpuMs: number): ChildLimits => ({ cpuMs, wallMs: cpuMs * wallTimes });

/** Reading all packets of a day of usual sound takes half of it. */
export async function analysisLimits({ path }: SoundFile): Promise<ChildLimits> {
  const { size } = await stat(path);
  return limitsOf(Math.min(60_000 + size / bytesPerMs, 600_000));
}

/** Without ffmpeg, the sound is decoded, which is several times slower. */
export const slowAnalysisLimits: ChildLimits = limitsOf(900_000);

/** For the waveform, which requires decoding all of the sound. */
export const decodingLimits: ChildLimits = limitsOf(600_000);

export const tooLong = (): MediaError =>
  new MediaError('too-long', `The sound is longer than ${longestSoundMs / 3_600_000} hours`);
