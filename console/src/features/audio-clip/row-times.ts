import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { dayAndTime } from '../../lib/ui/clock.ts';

/**
 * When a clip began. Clips of the same second show milliseconds, and clips of a device that share even those are
 * numbered, so that rows can be told apart. Clips of one second are neighbours in the list.
 */
export function rowTime(clips: readonly PagedAudioClip[], index: number): string {
  const clip = clips[index];
  if (!clip) return '';
  const { startTime = 0, startTimeMs = 0, deviceID } = clip;
  const text = dayAndTime(startTime * 1_000);
  const isIn = (other: PagedAudioClip | undefined) => other !== undefined && other.startTime === startTime;
  if (!isIn(clips[index - 1]) && !isIn(clips[index + 1])) return text;
  const exact = `${text}.${String(startTimeMs).padStart(3, '0')}`;
  const count = (step: 1 | -1) => {
    let found = 0;
    for (let at = index + step; isIn(clips[at]); at += step) {
      const other = clips[at];
      if ((other?.startTimeMs ?? 0) === startTimeMs && other?.deviceID === deviceID) found += 1;
    }
    return found;
  };
  const [before, after] = [count(-1), count(1)];
  return before + after === 0 ? exact : `${exact}, ${before + 1} of ${before + after + 1}`;
}
