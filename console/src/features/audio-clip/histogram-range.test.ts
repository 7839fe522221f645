import { expect, test } from 'vitest';
import { draggedRange, moveMark, totalOf } from './histogram-range.ts';

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

test('keys mark a bucket, move it within the range, and extend it', () => {
  const newest = moveMark(undefined, -1, false, 10);
  expect(draggedRange(histogram, ...newest)).toEqual({ fromEpoch: start + 90, toEpoch: start + 95 });
  expect(moveMark(newest, 1, false, 10)).toEqual(newest);
  expect(moveMark(undefined, 1, false, 4)).toEqual([0, 0.25]);
  expect(moveMark([0, 0.25], 1, true, 4)).toEqual([0, 0.5]);
  expect(moveMark([0, 0.5], 1, false, 4)).toEqual([0.25, 0.5]);
  expect(moveMark([0, 0.25], -1, false, 4)).toEqual([0, 0.25]);
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
