import { expect, test } from 'vitest';
import { auditFilterOf } from './filter-of.ts';

const read = (text: string) => auditFilterOf(new URLSearchParams(text));

test('the address names person, device and action', () => {
  expect(read('person=7&device=12&action=clip-removed')).toEqual({ userID: 7, deviceID: 12, action: 'clip-removed' });
});

test('what cannot be read is left out', () => {
  expect(read('person=-1&device=x&action=danced&from=soon&to=')).toEqual({});
});

test('the last day is included', () => {
  const { startDate = '', endDate = '' } = read('from=2026-11-15&to=2026-11-15');
  expect(Date.parse(endDate) - Date.parse(startDate)).toBe(86_400_000);
});

test('an end before the start is an empty range, not an error', () => {
  const { startDate, endDate } = read('from=2026-11-15&to=2026-11-01');
  expect(endDate).toBe(startDate);
});
