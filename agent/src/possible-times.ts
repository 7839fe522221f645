import { longestClipSeconds } from '@earshot/contract/audio-clip';
import { latestEpoch } from '@earshot/contract/values';
import { endOfTimesMs } from '@earshot/contract/written-time';
import type { FoundRecording } from './recording.ts';

/*
 * What files say about times is only a hint. The platform refuses an announcement with a time that cannot be, so what a
 * header or a date of a file cannot mean is not announced. The sound itself tells its length when it is uploaded.
 */

const latestMs = latestEpoch * 1_000 + 999;

/** Undefined for a duration that no clip with this start can have. */
export const possibleDuration = (durationMs: number | undefined, startMs = 0): number | undefined =>
  durationMs !== undefined && durationMs <= longestClipSeconds * 1_000 && startMs + durationMs <= latestMs
    ? durationMs
    : undefined;

/**
 * A start after 2099 is that of a broken clock. Then the recording ended when its file came here: programs set the date of
 * a file, but not the time of its last change, `changedMs`. If that is impossible as well, nothing is known: 1970.
 */
export function withPossibleStart<Recording extends Pick<FoundRecording, 'startMs' | 'durationMs'>>(
  recording: Recording,
  changedMs: number,
): Recording {
  if (recording.startMs < endOfTimesMs) return recording;
  const endMs = changedMs < endOfTimesMs ? changedMs : 0;
  return { ...recording, startMs: Math.max(0, endMs - (recording.durationMs ?? 0)) };
}
