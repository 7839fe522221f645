import { expect, test } from 'vitest';
import { progressOf } from './progress.ts';

test('the progress of each stage counts what has ended and what failed', () => {
  const counts = [
    { stage: 1, deviceState: 'done' as const, count: 3 },
    { stage: 1, deviceState: 'failed' as const, count: 1 },
    { stage: 1, deviceState: 'sent' as const, count: 2 },
    { stage: 0, deviceState: 'done' as const, count: 1 },
    { stage: 2, deviceState: 'waiting' as const, count: 9 },
  ];
  expect(progressOf({ counts })).toEqual([
    { stage: 0, total: 1, ended: 1, failed: 0 },
    { stage: 1, total: 6, ended: 4, failed: 1 },
    { stage: 2, total: 9, ended: 0, failed: 0 },
  ]);
});
