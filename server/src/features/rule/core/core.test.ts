import { offsetOf } from '@earshot/contract/time-zone';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isActiveAt } from './active-times.ts';
import type { KnownFacts } from './facts.ts';
import { countAlerts } from './group.ts';
import { byStart, findFullWindows } from './windows.ts';
import type { Truth } from './when.ts';
import { everyTruth, judgeWhen, opposite, readWhen, someTruth } from './when.ts';

const unknownClip: KnownFacts = {
  key: 1,
  deviceID: 1,
  startMs: 0,
  endMs: undefined,
  text: undefined,
  tags: new Map(),
  isLabelled: false,
  hadSound: true,
  isSilent: undefined,
  speechSeconds: undefined,
  levelDb: undefined,
  clippedPercent: undefined,
  call: undefined,
  timeZone: undefined,
};

const truths = fc.array(fc.constantFrom<Truth>(true, false, undefined), { minLength: 1, maxLength: 5 });

test('all, any and none are true or false exactly if they are for every value of what is unknown', () => {
  fc.assert(
    fc.property(truths, (given) => {
      const cases = given.reduce<boolean[][]>(
        (before, truth) =>
          before.flatMap((values) =>
            truth === undefined
              ? [
                  [...values, true],
                  [...values, false],
                ]
              : [[...values, truth]],
          ),
        [[]],
      );
      const decided = (of: (values: boolean[]) => boolean): Truth => {
        const results = new Set(cases.map(of));
        return results.size === 1 ? [...results][0] : undefined;
      };
      expect(everyTruth(given)).toBe(decided((values) => values.every(Boolean)));
      expect(someTruth(given)).toBe(decided((values) => values.some(Boolean)));
      expect(opposite(someTruth(given))).toBe(decided((values) => !values.some(Boolean)));
    }),
  );
});

test('a fact that is missing is unknown, not false', () => {
  const judge = (when: Parameters<typeof readWhen>[0], facts: Partial<KnownFacts> = {}) =>
    judgeWhen(readWhen(when), { ...unknownClip, ...facts });
  expect(judge({ words: 'fire' })).toBe(undefined);
  expect(judge({ none: [{ words: 'fire' }] })).toBe(undefined);
  expect(judge({ none: [{ words: 'fire' }] }, { text: ' all quiet ' })).toBe(true);
  expect(judge({ words: 'fire' }, { text: ' fired ' })).toBe(false);
  expect(judge({ words: '"working fire"' }, { text: ' a working fire ' })).toBe(true);
  expect(judge({ tagName: 'Siren' })).toBe(undefined);
  expect(judge({ tagName: 'Siren' }, { isLabelled: true })).toBe(false);
  expect(judge({ tagName: 'Siren', minConfidence: 60 }, { tags: new Map([['siren', 60]]) })).toBe(true);
  expect(judge({ tagName: 'Siren', minConfidence: 61 }, { tags: new Map([['siren', 60]]) })).toBe(undefined);
  expect(judge({ lengthSeconds: { min: 1 } })).toBe(undefined);
  expect(judge({ lengthSeconds: { min: 1, max: 1 } }, { endMs: 1_000 })).toBe(true);
  expect(judge({ lengthSeconds: { max: 0.999 } }, { endMs: 1_000 })).toBe(false);
  expect(judge({ levelDb: { min: -40 } })).toBe(undefined);
  expect(judge({ anySound: true })).toBe(undefined);
  expect(judge({ anySound: true }, { hadSound: false })).toBe(false);
  expect(judge({ anySound: true }, { isSilent: false })).toBe(true);
});

const minuteMs = 60_000;
const night = [{ from: '22:00', to: '06:00', days: [6] }];

test('a time that ends on the next day belongs to the day on which it begins', () => {
  const at = (text: string) => isActiveAt(night, Date.parse(text), 'Europe/Zurich');
  // Saturday, 14 November 2026.
  expect(at('2026-11-14T21:59:59.999+01:00')).toBe(false);
  expect(at('2026-11-14T22:00:00+01:00')).toBe(true);
  expect(at('2026-11-15T05:59:59.999+01:00')).toBe(true);
  expect(at('2026-11-15T06:00:00+01:00')).toBe(false);
  expect(at('2026-11-14T05:00:00+01:00')).toBe(false);
  const whole = [{ from: '06:00', to: '06:00', days: [6] }];
  expect(isActiveAt(whole, Date.parse('2026-11-15T05:59:00Z'), undefined)).toBe(true);
  expect(isActiveAt(whole, Date.parse('2026-11-15T06:00:00Z'), undefined)).toBe(false);
  expect(isActiveAt([], 0, undefined)).toBe(true);
});

test('both passages of a repeated hour count, and a skipped hour has none', () => {
  const hour = [{ from: '02:00', to: '03:00', timeZone: 'Europe/Zurich' }];
  const activeMinutes = (fromText: string) => {
    const fromMs = Date.parse(fromText);
    return Array.from({ length: 24 * 60 }, (_, at) => fromMs + at * minuteMs).filter((ms) =>
      isActiveAt(hour, ms, undefined),
    ).length;
  };
  expect(activeMinutes('2026-10-24T12:00:00Z')).toBe(120);
  expect(activeMinutes('2026-03-28T12:00:00Z')).toBe(0);
  expect(activeMinutes('2026-06-01T12:00:00Z')).toBe(60);
});

test('a time is active exactly if the clock on the wall shows it', () => {
  const zone = fc.constantFrom('Europe/Zurich', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu');
  const clock = fc
    .tuple(fc.nat(23), fc.constantFrom(0, 30))
    .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
  const ms = fc.integer({ min: Date.parse('2026-01-01T00:00:00Z'), max: Date.parse('2027-01-01T00:00:00Z') });
  const days = fc.uniqueArray(fc.integer({ min: 1, max: 7 }));
  fc.assert(
    fc.property(zone, clock, clock, ms, days, (timeZone, from, to, at, given) => {
      const wall = new Date(at + offsetOf(timeZone, at));
      const time = wall.toISOString().slice(11, 16);
      const today = wall.getUTCDay() || 7;
      const yesterday = today === 1 ? 7 : today - 1;
      const isDay = (day: number) => given.length === 0 || given.includes(day);
      const expected =
        from < to
          ? time >= from && time < to && isDay(today)
          : (time >= from && isDay(today)) || (time < to && isDay(yesterday));
      expect(isActiveAt([{ from, to, days: given, timeZone }], at, undefined)).toBe(expected);
    }),
  );
});

const clips = fc
  .array(fc.integer({ min: 0, max: 60 }), { maxLength: 30 })
  .map((starts) => starts.map((startMs, key) => ({ key, startMs })).toSorted(byStart));

test('a window is full exactly if enough clips begin in (t - within, t]', () => {
  fc.assert(
    fc.property(clips, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 20 }), (given, count, within) => {
      const expected = given.filter(
        (clip) =>
          given.filter(({ startMs }) => startMs > clip.startMs - within && startMs <= clip.startMs).length >= count,
      );
      expect(findFullWindows(given, count, within)).toEqual(expected);
    }),
  );
});

test('matches at most groupSeconds apart are one alert, of at most a day', () => {
  const at = (...seconds: number[]) => seconds.map((second, key) => ({ key, startMs: second * 1_000 }));
  expect(countAlerts([], 300)).toBe(0);
  expect(countAlerts(at(0, 300, 600), 300)).toBe(1);
  expect(countAlerts(at(0, 301), 300)).toBe(2);
  expect(countAlerts(at(...Array.from({ length: 289 }, (_, step) => step * 300)), 300)).toBe(1);
  expect(countAlerts(at(...Array.from({ length: 290 }, (_, step) => step * 300)), 300)).toBe(2);
});
