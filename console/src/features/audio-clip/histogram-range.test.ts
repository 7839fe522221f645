import { expect, test } from 'vitest';
import { draggedRange, totalOf } from './histogram-range.ts';

const start = 1_794_700_800;
const histogram = {
  startEpoch: start,
  endEpoch: start + 95,
  bucketSeconds: 10,
  bucketList: Array.from({ length: 10 }, (_, at) => ({ startEpoch: start + 10 * at, count: at })),
};

test('a drag covers whole buckets, in either direction, and ends with the range', () => {
  expect(draggedRange(histogram, 0.22, 0.58)).toEqual({ fromEpoch: start + 20, toEpoch: start + 60 });
  expect(draggedRange(histogram, 0.58, 0.22)).toEqual({ fromEpoch: start + 20, toEpoch: start + 60 });
  expect(draggedRange(histogram, 0.93, 1)).toEqual({ fromEpoch: start + 90, toEpoch: start + 95 });
  expect(draggedRange(histogram, 1, 0.995)).toEqual({ fromEpoch: start + 90, toEpoch: start + 95 });
});

test('a click is no range', () => {
  expect(draggedRange(histogram, 0.5, 0.501)).toBeUndefined();
  expect(draggedRange({ bucketSeconds: 0, bucketList: [] }, 0, 1)).toBeUndefined();
});

test('the total says whether it is estimated', () => {
  expect(totalOf(histogram)).toEqual({ count: 45, isEstimated: false });
  const bucketList = [{ startEpoch: start, count: 5, isEstimated: true }];
  expect(totalOf({ ...histogram, bucketList })).toEqual({ count: 5, isEstimated: true });
});
