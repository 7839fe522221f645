import { expect, test } from 'vitest';
import { showBytes, showDuration } from './time.ts';
import { zonedTime } from './zoned-time.ts';

test.each([
  ['2026-07-01T12:00:00Z', 'Europe/Zurich', '2026-07-01T10:00:00.000Z'],
  ['2026-12-01T12:00:00Z', 'Europe/Zurich', '2026-12-01T11:00:00.000Z'],
  // The clocks go back at 03:00 on this day.
  ['2026-10-25T01:30:00Z', 'Europe/Zurich', '2026-10-24T23:30:00.000Z'],
  ['2026-10-25T04:00:00Z', 'Europe/Zurich', '2026-10-25T03:00:00.000Z'],
  ['2026-03-08T12:00:00.250Z', 'America/New_York', '2026-03-08T16:00:00.250Z'],
])('a clock that showed %s in %s was at %s', (wall, zone, moment) => {
  expect(new Date(zonedTime(Date.parse(wall), zone)).toISOString()).toBe(moment);
});

test('sizes and lengths are short', () => {
  expect([0, 999, 1_500, 12_345_678, 250_000_000_000].map(showBytes)).toEqual([
    '0 B',
    '999 B',
    '1.5 kB',
    '12.3 MB',
    '250 GB',
  ]);
  expect([0, 5_000, 754_000, 3_723_000].map(showDuration)).toEqual(['0:00', '0:05', '12:34', '1:02:03']);
});
