import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { expect, test } from 'vitest';
import { rowTime } from './row-times.ts';

const start = 1_794_704_400;
const clip = (key: number, startTime: number, startTimeMs = 0, deviceID = 1): PagedAudioClip => ({
  key,
  startTime,
  startTimeMs,
  deviceID,
  tagList: [],
});
const texts = (clips: readonly PagedAudioClip[]) =>
  clips.map((_, index) => rowTime(clips, index).replace(/^.*, (?=\d\d:)/, ''));
const tail = (text: string) => text.slice(text.indexOf(':', 3) + 3);

test('ten clips of one second have ten different times', () => {
  const clips = Array.from({ length: 10 }, (_, index) => clip(index, start, index * 100));
  expect(new Set(texts(clips)).size).toBe(10);
  expect(texts(clips).map(tail)[3]).toBe('.300');
});

test('clips with the same milliseconds are numbered within their device; a lone clip shows seconds', () => {
  const clips = [clip(1, start, 5), clip(2, start, 5, 2), clip(3, start, 5), clip(4, start + 1)];
  expect(texts(clips).map(tail)).toEqual(['.005, 1 of 2', '.005', '.005, 2 of 2', '']);
});
