import type { AudioClip } from '@earshot/contract/audio-clip';
import { isAvailable } from './clip-state.ts';

export const startOf = ({ startTime = 0, startTimeMs = 0 }: AudioClip): number => startTime * 1_000 + startTimeMs;

/** End of the clip in milliseconds; computed from its length if the end is not stored. */
export function endOf(clip: AudioClip): number {
  const { endTime, endTimeMs = 0, clipLengthInSeconds = 0 } = clip;
  return endTime === undefined ? startOf(clip) + clipLengthInSeconds * 1_000 : endTime * 1_000 + endTimeMs;
}

/** The one length that is shown for a clip: of its sound where it is here, else as the device announced it. */
export function lengthMsOf(clip: AudioClip & { readonly soundMs?: number }): number {
  if (isAvailable(clip) && clip.soundMs !== undefined) return clip.soundMs;
  return (clip.clipLengthInSeconds ?? 0) * 1_000;
}
