import { stat } from 'node:fs/promises';
import type { ChildLimits } from './child.ts';
import { MediaError } from './media-error.ts';
import { type SoundFile, longestSoundMs } from './sound.ts';

/*
 * What reading one file may cost. A file of kilobytes can hold a day of silence in millions of packets; a file of
 * gigabytes is long to read without being hostile, so its size counts too.
 */

const bytesPerMs = 20_000;
/** On a busy machine, time passes faster than a program gets on. */
const wallTimes = 5;

const limitsOf = (cpuMs: number): ChildLimits => ({ cpuMs, wallMs: cpuMs * wallTimes });

/** Reading all packets of a whole day of usual sound takes half of it. */
export async function analysisLimits({ path }: SoundFile): Promise<ChildLimits> {
  const { size } = await stat(path);
  return limitsOf(Math.min(60_000 + size / bytesPerMs, 600_000));
}

/** Where ffmpeg is missing, the sound is decoded, several times slower. */
export const slowAnalysisLimits: ChildLimits = limitsOf(900_000);

/** For an outline of the sound, all of which is decoded. */
export const decodingLimits: ChildLimits = limitsOf(600_000);

export const tooLong = (): MediaError =>
  new MediaError('too-long', `The sound is longer than ${longestSoundMs / 3_600_000} hours`);
