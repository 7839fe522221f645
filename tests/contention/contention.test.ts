import { expect, test } from 'vitest';
import type { Pair } from './matrix.ts';
import { describeReport, pairsOf, refusedAlone, runMatrix } from './matrix.ts';
import type { Writer } from './writers.ts';
import { writers } from './writers.ts';

/** Calls of the queue that name a device only. */
const queueCalls = new Set(['registerAgent', 'dequeueEvent', 'listPendingEvents']);

const isOfQueue = ({ name, kinds }: Writer): boolean =>
  kinds.has('agent') || kinds.has('event') || queueCalls.has(name);

/** The queue among itself, and everything beside the removal of what it stands on. The rest is in the long test. */
const isRepresentative = ([first, second]: Pair): boolean => {
  if (isOfQueue(first) && isOfQueue(second)) return true;
  return [first, second].some(({ name }) => name === 'deleteDevice' || name === 'leases end');
};

test('the queue among itself and everything beside the removal of a device: no deadlock, no 5xx', async () => {
  const report = await runMatrix(pairsOf(writers).filter(isRepresentative));
  process.stdout.write(`contention: ${describeReport(report)}\n`);
  expect(report.faults).toEqual([]);
  expect(report.deadlocks).toBe(0);
});

test('each operation alone succeeds on these records, so that none passes by being refused', async () => {
  expect(await refusedAlone(writers)).toEqual([]);
});
