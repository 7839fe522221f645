import { expect, test } from 'vitest';
import { epochOf, fieldText, localText, rangeInAddress, rangeQuery } from './time-range.ts';

const zone = 'Europe/Zurich';
/** Monday, 16 November 2026, 11:00 in Zurich. */
const now = Date.UTC(2026, 10, 16, 10);
const range = (query: string, at = now) => {
  const { fromEpoch, toEpoch } = rangeInAddress(new URLSearchParams(`${query}&zone=${zone}`), at);
  const iso = (epoch: number | undefined) => epoch && new Date(epoch * 1_000).toISOString().slice(0, 16);
  return [iso(fromEpoch), iso(toEpoch)];
};

test('presets are days of the zone', () => {
  expect(range('when=hour')).toEqual(['2026-11-16T09:00', undefined]);
  expect(range('when=today')).toEqual(['2026-11-15T23:00', undefined]);
  expect(range('when=yesterday')).toEqual(['2026-11-14T23:00', '2026-11-15T23:00']);
  expect(range('when=thisweek')).toEqual(['2026-11-15T23:00', undefined]);
  // On a Sunday the week began six days before.
  expect(range('when=thisweek', Date.UTC(2026, 10, 15, 10))).toEqual(['2026-11-08T23:00', undefined]);
  // 25 October 2026 has 25 hours.
  expect(range('when=yesterday', Date.UTC(2026, 9, 26, 10))).toEqual(['2026-10-24T22:00', '2026-10-25T23:00']);
});

test('times between are read in the zone, and survive a round trip', () => {
  const epoch = Date.UTC(2026, 6, 1, 6, 30, 5) / 1_000;
  expect(localText(epoch, zone)).toBe('2026-07-01T08:30:05');
  expect(epochOf('2026-07-01T08:30:05', zone)).toBe(epoch);
  expect(epochOf('2026-07-01T06:30:05Z', zone)).toBe(epoch);
  expect(fieldText('2026-07-01T06:30:05Z', zone)).toBe('2026-07-01T08:30:05');
  expect(epochOf('soon', zone)).toBeUndefined();
  const { when, from, to } = rangeQuery(epoch, epoch + 60, zone);
  expect(rangeInAddress(new URLSearchParams({ when, from, to, zone }))).toEqual({
    fromEpoch: epoch,
    toEpoch: epoch + 60,
  });
});

test('an end before the start is an empty range', () => {
  const { fromEpoch, toEpoch } = rangeInAddress(
    new URLSearchParams('from=2026-01-02T00:00&to=2026-01-01T00:00&zone=UTC'),
  );
  expect(toEpoch).toBe(fromEpoch);
});
