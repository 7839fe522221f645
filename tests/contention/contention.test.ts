import { expect, test } from 'vitest';
import type { Pair } from './matrix.ts';
import { describeReport, pairsOf, refusedAlone, runMatrix } from './matrix.ts';
import type { Writer } from './writers.ts';
import { writers } from './writers.ts';

/** Some deadlocks need three concurrent requests. The long test has more callers. */
const callersOfEach = 3;

/** Calls of the queue that name a device only. */
const queueCalls = new Set(['registerAgent', 'dequeueEvent', 'listPendingEvents']);

const isOfQueue = ({ name, kinds }: Writer): boolean =>
  kinds.has('agent') || kinds.has('event') || queueCalls.has(name) || name === 'leases end';

/**
 * Pairs of queue operations (the end of leases is one of them), and all operations with the removal of the device that
 * they use. The long test has the other pairs.
 */
const isRepresentative = ([first, second]: Pair): boolean => {
  if (isOfQueue(first) && isOfQueue(second)) return true;
  return [first, second].some(({ name }) => name === 'deleteDevice');
};

test('pairs of queue operations, and all operations with the removal of a device: no deadlock, no 5xx', async () => {
  const report = await runMatrix(pairsOf(writers).filter(isRepresentative), { callersOfEach });
  process.stdout.write(`contention: ${describeReport(report)}\n`);
  expect(report.faults).toEqual([]);
  expect(report.deadlocks).toBe(0);
});

/** A rare deadlock: another clip at the same place must be added and removed between two statements. */
const repeatsOfClips = 15;

test('clips are announced and changed repeatedly while others expire: no deadlock, no 5xx', async () => {
  const names = new Set(['announceAudioClips', 'createAudioClip', 'patchAudioClip', 'clips expire']);
  const pairs = pairsOf(writers.filter(({ name }) => names.has(name))).filter(
    ([, { name }]) => name === 'clips expire',
  );
  expect(pairs).toHaveLength(names.size);
  const report = await runMatrix(Array.from({ length: repeatsOfClips }, () => pairs).flat(), { callersOfEach: 5 });
  process.stdout.write(`contention: ${describeReport(report)}\n`);
  expect(report.faults).toEqual([]);
  expect(report.deadlocks).toBe(0);
});

test('each operation alone succeeds on these records, so that no pair is tested with a refused one', async () => {
  expect(await refusedAlone(writers)).toEqual([]);
});
