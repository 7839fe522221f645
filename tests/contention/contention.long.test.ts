import { expect, test } from 'vitest';
import { describeReport, pairsOf, runMatrix } from './matrix.ts';
import { writers } from './writers.ts';

test('every pair of operations that write, on the same records: no deadlock, no 5xx, nothing lost', async () => {
  const report = await runMatrix(pairsOf(writers));
  process.stdout.write(`contention: ${describeReport(report)}\n`);
  expect(report.faults).toEqual([]);
  expect(report.deadlocks).toBe(0);
});
