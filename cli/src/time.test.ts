import { expect, test } from 'vitest';
import { showBytes, showDuration } from './time.ts';

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
