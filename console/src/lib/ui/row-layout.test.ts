import { expect, test } from 'vitest';
import { RowLayout } from './row-layout.ts';

const even = (count: number, height: number) => new RowLayout(count, () => height);

test('rows follow one another at their estimated heights', () => {
  const layout = new RowLayout(5, (row) => 10 * (row + 1));
  expect([0, 1, 2, 3, 4, 5].map((row) => layout.topOf(row))).toEqual([0, 10, 30, 60, 100, 150]);
  expect(layout.height).toBe(150);
});

test('a measured row moves the rows below it, and no row above it', () => {
  const layout = even(4, 20);
  expect(layout.measure(1, 50)).toBe(true);
  expect([0, 1, 2, 3, 4].map((row) => layout.topOf(row))).toEqual([0, 20, 70, 90, 110]);
  expect(layout.measure(1, 50)).toBe(false);
});

test('a row is found at any distance, the first or last outside of the list', () => {
  const layout = even(4, 20);
  layout.measure(1, 50);
  expect([-5, 0, 19.9, 20, 69.9, 70, 109, 110, 500].map((at) => layout.rowAt(at))).toEqual([0, 0, 0, 1, 1, 2, 3, 3, 3]);
  expect(even(0, 20).rowAt(10)).toBe(0);
  expect(even(0, 20).height).toBe(0);
});

test('tops and rows agree with a plain sum for many rows of different heights, measured in any order', () => {
  const count = 3_001;
  const heights = Array.from({ length: count }, (_, row) => 20 + ((row * 7_919) % 83));
  const layout = even(count, 40);
  for (let step = 0; step < count; step++) {
    const row = (step * 1_009) % count;
    layout.measure(row, heights[row]!);
  }
  let top = 0;
  for (const [row, height] of heights.entries()) {
    expect(layout.topOf(row)).toBeCloseTo(top, 6);
    expect(layout.rowAt(top + 1)).toBe(row);
    expect(layout.rowAt(top + height - 1)).toBe(row);
    top += height;
  }
});
