import { expect, test } from 'vitest';
import { nextTimeAt } from './manners.ts';

const next = (time: string, zone: string, after: string): string =>
  nextTimeAt(time, zone, Date.parse(after)).toISOString();

test('the next time of a digest is by the clock of its zone', () => {
  expect(next('07:30', 'UTC', '2026-11-19T07:29:59Z')).toBe('2026-11-19T07:30:00.000Z');
  expect(next('07:30', 'UTC', '2026-11-19T07:30:00Z')).toBe('2026-11-20T07:30:00.000Z');
  // There the day begins 11 hours before that of UTC.
  expect(next('07:30', 'Pacific/Auckland', '2026-06-18T20:00:00Z')).toBe('2026-06-19T19:30:00.000Z');
  // Clocks are set back and forward in between.
  expect(next('07:30', 'Europe/Zurich', '2026-10-24T06:00:00Z')).toBe('2026-10-25T06:30:00.000Z');
  expect(next('07:30', 'Europe/Zurich', '2026-03-28T07:00:00Z')).toBe('2026-03-29T05:30:00.000Z');
});
