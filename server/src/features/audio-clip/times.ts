import { longestClipSeconds } from '@earshot/contract/audio-clip';
import type { FieldError } from '@earshot/contract/validation';
import { latestEpoch } from '@earshot/contract/values';

/*
 * The times of a clip. Callers send seconds and milliseconds separately, and an end, a length or both. Stored are
 * milliseconds since 1970. The end is computed from the length, and the length from the end (rounded half up, in SQL).
 */

export interface ClipTimes {
  readonly startMs: number;
  /** Null if unknown. */
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
/** The allowed difference between a given end and a given length. */
export const toleranceMs = 1000;

export const wholeSeconds = (ms: number): number => Math.floor(ms / 1000);

/** Clients in the field send whole records, in which 0 means that a value is not set. */
export function withoutUnset<Given extends GivenTimes & GivenKeys>(given: Given): Given {
  const { endTime, endTimeMs, fileID, tagListID, ...rest } = given;
  return {
    ...rest,
    ...(endTime === 0 ? {} : { ...has({ endTime }), ...has({ endTimeMs }) }),
    ...(fileID === 0 ? {} : has({ fileID })),
    ...(tagListID === 0 ? {} : has({ tagListID })),
  } as Given;
}

interface GivenKeys {
  readonly fileID?: number | null | undefined;
  readonly tagListID?: number | null | undefined;
}

/** Leaves out a value that is missing. */
const has = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.values(fields).includes(undefined) ? {} : fields;

/** A given part replaces the former one, `null` clears it, a missing one is kept. */
function moment(seconds: number, part: number | null | undefined, formerMs: number): number {
  return seconds * 1000 + (part === undefined ? formerMs % 1000 : (part ?? 0));
}

/** The times that result from the given values and, for an existing clip, its former ones. Not validated. */
export function timesOf(given: GivenTimes, former: ClipTimes = { startMs: 0, endMs: null }): ClipTimes {
  const startMs = moment(given.startTime ?? wholeSeconds(former.startMs), given.startTimeMs, former.startMs);
  return { startMs, endMs: endOf(given, startMs, former) };
}

function endOf(given: GivenTimes, startMs: number, former: ClipTimes): number | null {
  const { endTime, endTimeMs, clipLengthInSeconds: length } = given;
  if (typeof endTime === 'number') return moment(endTime, endTimeMs, former.endMs ?? 0);
  if (typeof length === 'number') return startMs + Math.round(length * 1000);
  if (endTime === null || length === null || former.endMs === null) return null;
  if (endTimeMs !== undefined) return moment(wholeSeconds(former.endMs), endTimeMs, former.endMs);
  // If only the start changes, the end moves with it.
  return startMs + (former.endMs - former.startMs);
}

/** The error in the given times, or undefined. */
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

/** Reads the times from a clip as the API shows it. */
export const splitTimes = ({ startMs, endMs }: ClipTimes) => ({
  startTime: wholeSeconds(startMs),
  startTimeMs: startMs % 1000,
  endTime: endMs === null ? null : wholeSeconds(endMs),
  endTimeMs: endMs === null ? null : endMs % 1000,
  clipLengthInSeconds: endMs === null ? null : Math.floor((endMs - startMs + 500) / 1000),
});

/** Why sound of this length cannot be a clip's; undefined if it can. */
export function faultOfLength(soundMs: number): string | undefined {
  if (soundMs <= longestClipMs + toleranceMs) return undefined;
  const seconds = wholeSeconds(soundMs);
  const length = `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} min ${seconds % 60} s`;
  return `${length} long, and a clip is at most ${longestClipSeconds / 3600} hours; send it in parts`;
}

/** The end of a clip by the length of its sound, limited to a day and to the latest time that the API can express. */
export const endOfSound = (startMs: number, soundMs: number): number =>
  Math.min(startMs + Math.min(Math.round(soundMs), longestClipMs), latestMs);

/** The times of a clip as the API shows them. */
export function timesShown(clip: GivenTimes & { readonly startTime: number }): ClipTimes {
  const { startTime, startTimeMs, endTime, endTimeMs } = clip;
  const endMs = typeof endTime === 'number' ? endTime * 1000 + (endTimeMs ?? 0) : null;
  return { startMs: startTime * 1000 + (startTimeMs ?? 0), endMs };
}
