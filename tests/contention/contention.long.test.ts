import { expect, test } from 'vitest';
import { describeReport, pairsOf, runMatrix } from './matrix.ts';
import { writers } from './writers.ts';

/** Some deadlocks need three requests to meet, and one run in five shows them. */
const rounds = [1, 2, 3, 4, 5];

test.each(rounds)('every pair that writes, on the same records: no deadlock, no 5xx, nothing lost (%i)', async () => {
  const report = await runMatrix(pairsOf(writers));
  process.stdout.write(`contention: ${describeReport(report)}\n`);
  expect(report.faults).toEqual([]);
  expect(report.deadlocks).toBe(0);
});
