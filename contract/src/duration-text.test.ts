import { expect, test } from 'vitest';
import { durationText } from './duration-text.ts';

test.each([
  [0, '0 s'],
  [11_000, '11 s'],
  [59_600, '1 min'],
  [90_000, '1 min 30 s'],
  [3_600_000, '1 h'],
  [7_500_000, '2 h 5 min'],
  [273_600_000, '3 d 4 h'],
])('%i ms is %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
