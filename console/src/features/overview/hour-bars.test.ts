import { expect, test } from 'vitest';
import { busiestHour, hourBars } from './hour-bars.ts';

test('bars are as high as their share of the largest value; small ones stay visible, unknown ones have none', () => {
  const heights = hourBars([0, 1, 50, 100, undefined], 100).map((bar) => bar?.height);
  expect(heights).toEqual([0, 3, 50, 100, undefined]);
  expect(hourBars([50], 100)).toEqual([{ x: 0.1, width: 0.8, y: 50, height: 50 }]);
});

test('the busiest hour is the first with the largest value', () => {
  expect(busiestHour([0, 5, 2, 5])).toBe(1);
  expect(busiestHour([0, 0])).toBeUndefined();
});
