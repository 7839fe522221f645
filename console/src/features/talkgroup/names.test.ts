import { expect, test } from 'vitest';
import { findTalkgroup, talkgroupIn, talkgroupText, unitText } from './names.ts';

const known = [
  { talkgroup: 4520, talkgroupLabel: 'FIRE DISP 2' },
  { talkgroup: 4521, talkgroupLabel: 'FIRE DISP', talkgroupName: 'County fire dispatch' },
  { talkgroup: 12 },
];

test.each([
  ['4521', 4521],
  ['99', 99],
  ['fire disp', 4521],
  ['county', 4521],
  ['disp 2', 4520],
  ['police', undefined],
  ['', undefined],
  ['0', undefined],
  ['4294967296', undefined],
])('typing %j means the talkgroup %j', (typed, talkgroup) => {
  expect(findTalkgroup(typed, known)).toBe(talkgroup);
});

test('a talkgroup in an address is a number within the range of radio systems', () => {
  expect(['4294967295', '4294967296', '0', '-1', '1.5', 'x', '', null].map(talkgroupIn)).toEqual([
    4_294_967_295,
    ...Array.from({ length: 7 }, () => undefined),
  ]);
});

test('a talkgroup is shown by its label, its name or its number', () => {
  expect(talkgroupText({ talkgroup: 1, talkgroupLabel: 'A', talkgroupName: 'B' })).toBe('A');
  expect(talkgroupText({ talkgroup: 1, talkgroupName: 'B' })).toBe('B');
  expect(talkgroupText({ talkgroup: 1 })).toBe('Talkgroup 1');
});

test('a unit is shown by its name and number; the alias is that of the first unit', () => {
  const call = { unit: 1, units: [1, 2, 3], unitLabels: [{ unit: 2, label: 'Engine 5' }], talkerAlias: 'CHIEF' };
  expect([1, 2, 3].map((unit) => unitText(call, unit))).toEqual(['CHIEF (1)', 'Engine 5 (2)', '3']);
});
