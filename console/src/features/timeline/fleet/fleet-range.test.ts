import { expect, test } from 'vitest';
import { axisMarks, bucketText, dayOfBucket, fleetRange, levelOf, stripOf } from './fleet-range.ts';

const zone = 'Europe/Zurich';
const now = Date.UTC(2026, 10, 15, 12);

test('30 days end with the chosen day, in local days also when the clocks change', () => {
  const range = fleetRange('month', '', zone, now);
  expect(range.buckets).toBe(30);
  expect([dayOfBucket(range, 0, zone), dayOfBucket(range, 29, zone)]).toEqual(['2026-10-17', '2026-11-15']);
  const days = Array.from({ length: 30 }, (_, at) => dayOfBucket(range, at, zone));
  expect(new Set(days).size).toBe(30);
  expect(bucketText(range, 29, zone)).toBe('Sun 15 Nov');
  expect(axisMarks(range, zone).map(({ text }) => text)).toEqual([
    '17 Oct',
    '22 Oct',
    '27 Oct',
    '1 Nov',
    '6 Nov',
    '11 Nov',
  ]);
});

test('a day has parts of ten minutes', () => {
  const range = fleetRange('day', '2026-11-14', zone, now);
  expect([range.buckets, range.startMs]).toEqual([144, Date.UTC(2026, 10, 13, 23)]);
  expect(bucketText(range, 1, zone)).toBe('Sat 14 Nov, 00:10–00:20');
  expect(axisMarks(range, zone).map(({ text }) => text)[1]).toBe('03:00');
});

test('one clip is visible, and many are darker', () => {
  const range = fleetRange('month', '', zone, now);
  expect([0, 1, 3, 4, 16, 64, 256, 9_999].map((count) => levelOf(count, range))).toEqual([0, 1, 1, 2, 3, 4, 5, 5]);
  expect(stripOf([0, 0, 1, 5], range)).toBe(
    'linear-gradient(to right, var(--heat-0) 0.000% 50.000%, var(--heat-1) 50.000% 75.000%, var(--heat-2) 75.000% 100.000%)',
  );
});
