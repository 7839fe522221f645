import { expect, test } from 'vitest';
import { describeReport, pairsOf, runMatrix } from './matrix.ts';
import { writers } from './writers.ts';

/** Some deadlocks need three concurrent requests, and occur in one run of five. */
const rounds = [1, 2, 3, 4, 5];

test.each(rounds)(
  'every pair of writing operations on the same records: no deadlock, no 5xx, nothing lost (%i)',
  async () => {
    const report = await runMatrix(pairsOf(writers), { callersOfEach: 5 });
    process.stdout.write(`contention: ${describeReport(report)}\n`);
    expect(report.faults).toEqual([]);
    expect(report.deadlocks).toBe(0);
  },
);
