import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { watchWork } from './watch-work.ts';

/** A process that gets the given share of a processor. */
function createWorker(share: number) {
  const begunMs = performance.now();
  const worker = { share, processorMs: async () => 5_000 + (performance.now() - begunMs) * worker.share };
  return worker;
}

function watch(share: number) {
  const reasons: string[] = [];
  const worker = createWorker(share);
  const work = watchWork(worker, 120_000, (reason) => {
    reasons.push(reason);
    work.pause();
  });
  work.restart();
  return { worker, work, reasons };
}

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000);

test('a process that gets a fiftieth of a processor may work for an hour', async () => {
  const { reasons } = watch(0.02);
  await minutes(60);
  expect(reasons).toEqual([]);
});

test('a process that uses all of its processor time without progress is given up', async () => {
  const { reasons } = watch(0.5);
  await minutes(3.9);
  expect(reasons).toEqual([]);
  await minutes(0.2);
  expect(reasons).toEqual(['it made no progress in 120 seconds of processor time']);
});

test('a process with many threads has as much time on the clock', async () => {
  const { reasons } = watch(8);
  await minutes(1.9);
  expect(reasons).toEqual([]);
  await minutes(0.2);
  expect(reasons).toHaveLength(1);
});

test.each([
  ['uses no processor time', 0],
  ['is on a system that does not report it', Number.NaN],
])('a process that %s is given up by the clock', async (_, share) => {
  const { reasons } = watch(share);
  await minutes(1.9);
  expect(reasons).toEqual([]);
  await minutes(0.3);
  expect(reasons).toEqual(['it made no progress for 120 seconds']);
});

test('a process that stops after it has worked is given up by the clock', async () => {
  const { worker, reasons } = watch(0.5);
  await minutes(1);
  worker.share = 0;
  await minutes(1.9);
  expect(reasons).toEqual([]);
  await minutes(0.3);
  expect(reasons).toHaveLength(1);
});

test('progress begins the time again, and without work there is no limit', async () => {
  const { work, reasons } = watch(0.5);
  for (let restarts = 0; restarts < 10; restarts++) {
    await minutes(3);
    work.restart();
  }
  expect(reasons).toEqual([]);
  work.pause();
  await minutes(60);
  expect(reasons).toEqual([]);
});
