import { expect, test } from 'vitest';
import { addMonths, dayAfterKey, isDay, daysText, weeksOf } from './calendar.ts';

test('a month is shown in whole weeks from Monday', () => {
  const weeks = weeksOf('2026-11-15');
  expect([weeks[0]?.[0], weeks.at(-1)?.[6], weeks.length]).toEqual(['2026-10-26', '2026-12-06', 6]);
  expect(weeksOf('2027-02-10').length).toBe(4);
  expect(new Set(weeks.flat()).size).toBe(42);
});

test.each([
  ['ArrowLeft', '2026-02-28'],
  ['ArrowDown', '2026-03-08'],
  ['Home', '2026-02-23'],
  ['End', '2026-03-01'],
  ['PageUp', '2026-02-01'],
  ['Enter', undefined],
])('%s leads from 1 March 2026, a Sunday, to %s', (key, day) => {
  expect(dayAfterKey('2026-03-01', key)).toBe(day);
});

test('a month later is its last day where it is shorter', () => {
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-28');
  expect(addMonths('2026-03-31', -1)).toBe('2026-02-28');
  expect(addMonths('2026-12-15', 1)).toBe('2027-01-15');
});

test('days and ranges are read and written', () => {
  expect(['2026-02-28', '2026-02-30', 'x', ''].map(isDay)).toEqual([true, false, false, false]);
  expect(daysText('2026-11-01', '2026-11-15')).toBe('1 Nov 2026 – 15 Nov 2026');
  expect(daysText('2026-11-01', '2026-11-01')).toBe('1 Nov 2026');
  expect(daysText('2026-11-01', '')).toBe('From 1 Nov 2026');
  expect(daysText('', '2026-11-01')).toBe('Until 1 Nov 2026');
});
