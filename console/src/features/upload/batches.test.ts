import { expect, test } from 'vitest';
import { batchFor, createdBy, shownBatches } from './batches.ts';
import type { ItemState, UploadItem } from './item.ts';

const item = (
  id: string,
  batchID: number | undefined,
  state: ItemState,
  more: Partial<UploadItem> = {},
): UploadItem => ({
  id,
  name: id,
  size: 1,
  sent: 0,
  state,
  batchID,
  deviceID: 7,
  ...more,
});

test('files for the device of a batch that is under way join it; others begin a new one', () => {
  const running = [item('a', 100, 'done'), item('b', 100, 'queued')];
  expect(batchFor(7, running, 500)).toBe(100);
  expect(batchFor(8, running, 500)).toBe(500);
  expect(batchFor(7, [item('a', 100, 'done'), item('b', 100, 'known')], 500)).toBe(500);
});

test('a new batch never has the number of another, even if the clock was set back', () => {
  expect(batchFor(8, [item('a', 900, 'queued')], 500)).toBe(901);
});

test('batches under way are shown; without one the last batch that has begun', () => {
  const ended = [item('a', 1, 'done'), item('b', 2, 'failed'), item('c', 3, 'ready')];
  expect(shownBatches(ended).map(({ batchID }) => batchID)).toEqual([2]);
  expect(shownBatches([...ended, item('d', 1, 'queued')]).map(({ batchID }) => batchID)).toEqual([1]);
  expect(shownBatches([item('recorded', undefined, 'queued')])).toEqual([]);
});

test('only clips that the batch created are its clips', () => {
  const items = [
    item('new', 1, 'done', { audioClipID: 11, isCreated: true }),
    item('completed', 1, 'done', { audioClipID: 12, isCreated: false }),
    item('known', 1, 'known', { audioClipID: 13 }),
  ];
  const [batch] = shownBatches(items);
  expect(batch && createdBy(batch).map(({ id }) => id)).toEqual(['new']);
});
