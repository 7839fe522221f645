import { longestClipSeconds } from '@earshot/contract/audio-clip';
import type { FieldError } from '@earshot/contract/validation';
import { latestEpoch } from '@earshot/contract/values';

/*
 * When a clip begins and ends. Callers give seconds and milliseconds apart, an end or a length or both; stored are
 * milliseconds since 1970. The end follows from the length, and the length from the end (rounded half up, in SQL).
 */

export interface ClipTimes {
  readonly startMs: number;
  /** Null while nobody knows it. */
  readonly endMs: number | null;
}

export interface GivenTimes {
  readonly startTime?: number | undefined;
  readonly startTimeMs?: number | null | undefined;
  readonly endTime?: number | null | undefined;
  readonly endTimeMs?: number | null | undefined;
  readonly clipLengthInSeconds?: number | null | undefined;
}

export const longestClipMs = longestClipSeconds * 1000;
export const latestMs = latestEpoch * 1000 + 999;
/** How far an end and a length that are both given may be apart. */
const toleranceMs = 1000;

const wholeSeconds = (ms: number): number => Math.floor(ms / 1000);

/** A part that is given replaces the former one, `null` clears it, a missing one stays. */
function moment(seconds: number, part: number | null | undefined, formerMs: number): number {
  return seconds * 1000 + (part === undefined ? formerMs % 1000 : (part ?? 0));
}

/** The times that result from what is given, and for a clip that exists from what it had. Not judged yet. */
export function timesOf(given: GivenTimes, former: ClipTimes = { startMs: 0, endMs: null }): ClipTimes {
  const startMs = moment(given.startTime ?? wholeSeconds(former.startMs), given.startTimeMs, former.startMs);
  return { startMs, endMs: endOf(given, startMs, former) };
}

function endOf(given: GivenTimes, startMs: number, former: ClipTimes): number | null {
  const { endTime, endTimeMs, clipLengthInSeconds: length } = given;
  if (typeof endTime === 'number') return moment(endTime, endTimeMs, former.endMs ?? 0);
  if (typeof length === 'number') return startMs + length * 1000;
  if (endTime === null || length === null || former.endMs === null) return null;
  if (endTimeMs !== undefined) return moment(wholeSeconds(former.endMs), endTimeMs, former.endMs);
  // A start that is moved alone takes the end with it.
  return startMs + (former.endMs - former.startMs);
}

/** What is wrong with times that were given so; undefined when nothing is. */
export function faultOfTimes(given: GivenTimes, { startMs, endMs }: ClipTimes): FieldError | undefined {
  if (endMs === null) return undefined;
  const { endTime, clipLengthInSeconds: length } = given;
  const isLength = typeof length === 'number';
  const path = typeof endTime === 'number' ? 'endTime' : isLength ? 'clipLengthInSeconds' : 'startTime';
  if (endMs < startMs) return { path: 'endTime', message: 'must not be before the start' };
  if (endMs - startMs > longestClipMs) return { path, message: 'gives a clip of more than 24 hours' };
  if (wholeSeconds(endMs) > latestEpoch) return { path, message: `gives a clip that ends after ${latestEpoch}` };
  if (typeof endTime === 'number' && isLength) {
    const apartMs = Math.abs(endMs - startMs - length * 1000);
    if (apartMs > toleranceMs) {
      return { path: 'clipLengthInSeconds', message: 'must agree with endTime to a second' };
    }
  }
  return undefined;
}

/** Why sound of this length cannot be a clip's; undefined when it can. */
export function faultOfLength(soundMs: number): string | undefined {
  if (soundMs <= longestClipMs + toleranceMs) return undefined;
  const seconds = wholeSeconds(soundMs);
  const length = `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} min ${seconds % 60} s`;
  return `${length} long, and a clip is at most ${longestClipSeconds / 3600} hours; send it in parts`;
}

/** The end that the length of its sound gives a clip: it is at most a day long and ends before time does. */
export const endOfSound = (startMs: number, soundMs: number): number =>
  Math.min(startMs + Math.min(Math.round(soundMs), longestClipMs), latestMs);

/** The times of a clip as it is shown. */
export function timesShown(clip: GivenTimes): ClipTimes {
  const { startTime = 0, startTimeMs, endTime, endTimeMs } = clip;
  const endMs = typeof endTime === 'number' ? endTime * 1000 + (endTimeMs ?? 0) : null;
  return { startMs: startTime * 1000 + (startTimeMs ?? 0), endMs };
}

/** The same the other way round. */
export const splitTimes = ({ startMs, endMs }: ClipTimes) => ({
  startTime: wholeSeconds(startMs),
  startTimeMs: startMs % 1000,
  endTime: endMs === null ? null : wholeSeconds(endMs),
  endTimeMs: endMs === null ? null : endMs % 1000,
  clipLengthInSeconds: endMs === null ? null : Math.floor((endMs - startMs + 500) / 1000),
});
