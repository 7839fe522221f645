import { expect, test } from 'vitest';
import { barHeights } from './draw-row-wave.ts';

test('the loudest point fills the row, quiet noise does not, and short sound is stretched', () => {
  expect(barHeights([-50, 50, -25, 25], 4)).toEqual([1, 1, 0.5, 0.5]);
  expect(barHeights([-1, 2], 1)).toEqual([3 / 24]);
  expect(barHeights([], 3)).toEqual([0, 0, 0]);
});
