import { expect, test } from 'vitest';
import { dayAndMinute, dayAndTime } from './clock.ts';

const now = Date.parse('2026-11-16T12:00:00Z');

test('the year is shown unless it is the current one', () => {
  const at = (date: string, zone: string) => dayAndMinute(Date.parse(date), zone, now);
  expect(at('2026-10-12T21:24:00Z', 'UTC')).toBe('Mon 12 Oct, 21:24');
  expect(at('2025-10-12T21:24:00Z', 'UTC')).toBe('Sun 12 Oct 2025, 21:24');
  // It is the next year there already.
  expect(at('2025-12-31T23:30:00Z', 'Europe/Zurich')).toBe('Thu 1 Jan, 00:30');
});

test('a time of today has no day', () => {
  expect(dayAndTime(now, 'UTC', now)).toBe('Today, 12:00:00');
  expect(dayAndTime(now - 86_400_000, 'UTC', now)).toBe('Sun 15 Nov, 12:00:00');
});
