import { expect, test } from 'vitest';
import { fileNameOf } from './download.ts';

const clip = { key: 4711, deviceID: 3, deviceName: 'North gate', startTime: 1_794_704_400 };
const titled = (title: string, key = clip.key) =>
  fileNameOf({ ...clip, key, title }, 'audio/wav')
    .split('_')
    .slice(1);

test('a downloaded file is named by device, title and key', () => {
  expect(titled('Dawn chorus: Übung/1')).toEqual(['north-gate', 'dawn-chorus-übung-1', '4711.wav']);
  expect(titled('x'.repeat(255))[1]).toHaveLength(60);
});

test('two clips with the same title have different names', () => {
  expect(titled('Dawn', 1)).not.toEqual(titled('Dawn', 2));
});

test('a title that is only a time is left out, as recorders name their files by it', () => {
  expect(titled('20221205_191730')).toEqual(['north-gate', '4711.wav']);
});
