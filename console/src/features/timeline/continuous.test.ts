import { expect, test } from 'vitest';
import { gapText, recordsContinuously } from './continuous.ts';

const clips = (starts: readonly number[], seconds: number) => ({
  count: starts.length,
  starts: Float64Array.from(starts, (start) => start * 1_000),
  ends: Float64Array.from(starts, (start) => (start + seconds) * 1_000),
});

test('clips that adjoin are a continuous recording, and a gap in it was not recorded', () => {
  const data = clips([0, 60, 120, 180, 240, 600, 660, 720], 60);
  expect(recordsContinuously(data)).toBe(true);
  expect(gapText(recordsContinuously(data))).toBe('Not recorded');
});

test('triggered recordings have gaps by design', () => {
  const data = clips([0, 300, 420, 1_000, 5_000], 10);
  expect(recordsContinuously(data)).toBe(false);
  expect(gapText(recordsContinuously(data))).toBe('No recording');
});

test('a few clips or none say nothing about a gap', () => {
  expect(recordsContinuously(clips([], 10))).toBe(false);
  expect(recordsContinuously(clips([0, 10, 20], 10))).toBe(false);
});
