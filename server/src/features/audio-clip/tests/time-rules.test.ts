import { latestEpoch } from '@earshot/contract/values';
import { describe, expect, test } from 'vitest';
import type { GivenTimes } from '../times.ts';
import { faultOfTimes, splitTimes, timesOf, withoutUnset } from '../times.ts';

const former = { startMs: 100_250, endMs: 110_750 };

describe('the times of a new clip', () => {
  test.each<[GivenTimes, number, number | null]>([
    [{ startTime: 100 }, 100_000, null],
    [{ startTime: 100, startTimeMs: 250 }, 100_250, null],
    [{ startTime: 100, startTimeMs: null }, 100_000, null],
    [{ startTime: 100, endTime: 110 }, 100_000, 110_000],
    [{ startTime: 100, startTimeMs: 250, endTime: 110, endTimeMs: 750 }, 100_250, 110_750],
    [{ startTime: 100, startTimeMs: 250, clipLengthInSeconds: 10 }, 100_250, 110_250],
    [{ startTime: 100, clipLengthInSeconds: 1.4996 }, 100_000, 101_500],
    // An end counts more than a length.
    [{ startTime: 100, endTime: 110, clipLengthInSeconds: 9 }, 100_000, 110_000],
    [{ startTime: 100, endTime: null, clipLengthInSeconds: 9 }, 100_000, 109_000],
    [{ startTime: 100, endTimeMs: 5 }, 100_000, null],
  ])('%j', (given, startMs, endMs) => {
    expect(timesOf(given)).toEqual({ startMs, endMs });
  });
});

describe('the times of a clip that changes', () => {
  test.each<[string, GivenTimes, number, number | null]>([
    ['nothing', {}, 100_250, 110_750],
    ['the start takes the end with it', { startTime: 200 }, 200_250, 210_750],
    ['the milliseconds of the start as well', { startTimeMs: 0 }, 100_000, 110_500],
    ['cleared milliseconds are none', { startTimeMs: null }, 100_000, 110_500],
    ['the end alone keeps its milliseconds', { endTime: 120 }, 100_250, 120_750],
    ['the milliseconds of the end alone', { endTimeMs: 20 }, 100_250, 110_020],
    ['the length', { clipLengthInSeconds: 3 }, 100_250, 103_250],
    ['no end', { endTime: null }, 100_250, null],
    ['no length', { clipLengthInSeconds: null }, 100_250, null],
  ])('%s', (_name, given, startMs, endMs) => {
    expect(timesOf(given, former)).toEqual({ startMs, endMs });
  });

  test('a clip without an end gets none by a part of it', () => {
    expect(timesOf({ endTimeMs: 20 }, { startMs: 100_250, endMs: null })).toEqual({ startMs: 100_250, endMs: null });
    expect(timesOf({ endTime: 120 }, { startMs: 100_250, endMs: null })).toEqual({ startMs: 100_250, endMs: 120_000 });
  });
});

describe('wrong times', () => {
  const dayMs = 86_400_000;
  const faultOf = (given: GivenTimes) => faultOfTimes(given, timesOf(given))?.path;

  test('an end may be the start, and not before it', () => {
    expect(faultOf({ startTime: 100, endTime: 100 })).toBeUndefined();
    expect(faultOf({ startTime: 100, startTimeMs: 1, endTime: 100 })).toBe('endTime');
    expect(faultOf({ startTime: 100 })).toBeUndefined();
  });

  test('a clip has at most a day, and the field that gives more is named', () => {
    expect(faultOfTimes({}, { startMs: 0, endMs: dayMs })).toBeUndefined();
    const longer = { startMs: 0, endMs: dayMs + 1 };
    expect(faultOfTimes({ endTime: 86_400, clipLengthInSeconds: 1 }, longer)?.path).toBe('endTime');
    expect(faultOfTimes({ clipLengthInSeconds: 86_401 }, longer)?.path).toBe('clipLengthInSeconds');
    expect(faultOfTimes({ startTime: 0 }, longer)?.path).toBe('startTime');
  });

  test('a clip ends before the last second that can be stored is over', () => {
    const endMs = latestEpoch * 1_000 + 999;
    expect(faultOfTimes({}, { startMs: endMs - 5_000, endMs })).toBeUndefined();
    expect(faultOfTimes({ startTime: 1 }, { startMs: endMs - 5_000, endMs: endMs + 1 })).toEqual({
      path: 'startTime',
      message: `gives a clip that ends after ${latestEpoch}`,
    });
  });

  test.each([
    [9, undefined],
    [11, undefined],
    [8.999, 'clipLengthInSeconds'],
    [11.001, 'clipLengthInSeconds'],
  ])('an end after ten seconds and a length of %f', (clipLengthInSeconds, path) => {
    expect(faultOf({ startTime: 100, endTime: 110, clipLengthInSeconds })).toBe(path);
    // A length alone agrees with itself.
    expect(faultOf({ startTime: 100, clipLengthInSeconds })).toBeUndefined();
  });
});

test('a clip shows its times as seconds and milliseconds, its length rounded', () => {
  expect(splitTimes(former)).toEqual({
    startTime: 100,
    startTimeMs: 250,
    endTime: 110,
    endTimeMs: 750,
    clipLengthInSeconds: 11,
  });
  expect(splitTimes({ startMs: 100_250, endMs: 110_749 }).clipLengthInSeconds).toBe(10);
  expect(splitTimes({ startMs: 100_250, endMs: null })).toMatchObject({
    endTime: null,
    endTimeMs: null,
    clipLengthInSeconds: null,
  });
});

test('zero in a whole record means that a value is not set', () => {
  const whole = { startTime: 100, endTime: 0, endTimeMs: 5, fileID: 0, tagListID: 0 };
  expect(withoutUnset(whole)).toEqual({ startTime: 100 });
  const set = { startTime: 100, endTime: 110, endTimeMs: 0, fileID: 7, tagListID: 8 };
  expect(withoutUnset(set)).toEqual(set);
  const cleared = { startTime: 100, endTime: null, fileID: null, tagListID: null };
  expect(withoutUnset(cleared)).toEqual(cleared);
  expect(Object.keys(withoutUnset({ startTime: 100, endTimeMs: undefined }))).toEqual(['startTime']);
});
