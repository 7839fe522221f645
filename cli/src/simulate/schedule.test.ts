import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createSchedule } from './schedule.ts';
import { countDurations } from './tally.ts';

test('actions are started in the order of their times, and none is left out after a delay', async () => {
  let nowMs = 0;
  const schedule = createSchedule(() => nowMs);
  const started: string[] = [];
  schedule.every(10, 3, () => void started.push(`a${nowMs}`));
  schedule.every(7, 1, () => void started.push('b'));
  schedule.every(100, 2, () => void started.push('c'));
  // All that was due in the meantime is started at once: the rate is held.
  nowMs = 24;
  await vi.waitUntil(() => started.length >= 8);
  expect(started.filter((name) => name === 'b')).toHaveLength(4);
  expect(started.filter((name) => name === 'a24')).toHaveLength(3);
  expect(started.slice(0, 3)).toEqual(['b', 'c', 'a24']);
  expect(schedule.startedCount).toBe(schedule.dueCount);
  expect(schedule.lateness.maxMs).toBe(23);
  schedule.stop();
  nowMs = 1_000;
  await sleep(20);
  expect(schedule.startedCount).toBe(8);
});

test('quantiles are within the width of a bucket', () => {
  const durations = countDurations();
  for (let ms = 1; ms <= 1_000; ms += 1) durations.add(ms);
  const { count, medianMs, p99Ms, maxMs } = durations.summary;
  expect({ count, maxMs }).toEqual({ count: 1_000, maxMs: 1_000 });
  expect(medianMs).toBeGreaterThanOrEqual(500);
  expect(medianMs).toBeLessThan(525);
  expect(p99Ms).toBeGreaterThanOrEqual(990);
  expect(p99Ms).toBeLessThanOrEqual(1_000);
});
