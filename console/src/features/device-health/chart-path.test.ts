import { expect, test } from 'vitest';
import { chartPath } from './chart-path.ts';

const frame = { startEpoch: 0, endEpoch: 2_400, width: 240, height: 10 };

test('values fill the height, and a later time is further to the right', () => {
  const points = [
    { time: 0, value: 5 },
    { time: 100, value: 15 },
    { time: 200, value: 10 },
  ];
  expect(chartPath(points, frame)).toBe('M0 10h0L10 0L20 5');
});

test('a time without reports interrupts the line', () => {
  const points = [
    { time: 0, value: 0 },
    { time: 100, value: 1 },
    { time: 201, value: 0 },
  ];
  expect(chartPath(points, frame)).toBe('M0 10h0L10 0M20.1 10h0');
});

test('equal values are a line in the middle, and no points are no line', () => {
  expect(chartPath([{ time: 0, value: 7 }], frame)).toBe('M0 5h0');
  expect(chartPath([], frame)).toBe('');
});
