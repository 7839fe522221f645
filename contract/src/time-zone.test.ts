import { expect, test, vi } from 'vitest';
import { fromMachineWall, fromWall, isTimeZone } from './time-zone.ts';

test.each([
  ['2026-07-01T12:00:00Z', 'Europe/Zurich', '2026-07-01T10:00:00.000Z'],
  ['2026-12-01T12:00:00Z', 'Europe/Zurich', '2026-12-01T11:00:00.000Z'],
  // The clocks go back at 03:00 on this day.
  ['2026-10-25T01:30:00Z', 'Europe/Zurich', '2026-10-24T23:30:00.000Z'],
  ['2026-10-25T04:00:00Z', 'Europe/Zurich', '2026-10-25T03:00:00.000Z'],
  ['2026-03-08T12:00:00.250Z', 'America/New_York', '2026-03-08T16:00:00.250Z'],
])('a clock that showed %s in %s was at %s', (wall, zone, moment) => {
  expect(new Date(fromWall(Date.parse(wall), zone)).toISOString()).toBe(moment);
});

test('names of zones, not offsets', () => {
  expect(['Europe/Zurich', 'UTC', '+01:00', 'Europe/Nowhere', ''].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test.each([
  ['', '2026-07-01T12:00:00.250Z'],
  ['UTC-3', '2026-07-01T09:00:00.250Z'],
  ['America/New_York', '2026-07-01T16:00:00.250Z'],
])('the zone of a machine needs no name: TZ=%s', (zone, moment) => {
  vi.stubEnv('TZ', zone);
  try {
    expect(new Date(fromMachineWall(Date.parse('2026-07-01T12:00:00.250Z'))).toISOString()).toBe(moment);
  } finally {
    vi.unstubAllEnvs();
  }
});
