import { expect, test } from 'vitest';
import { describeReport, pairsOf, runMatrix } from './matrix.ts';
import { writers } from './writers.ts';
const names = (process.env['PAIR'] ?? '').split(',');
const times = Number(process.env['TIMES'] ?? 10);
test('one', async () => {
  const pairs = pairsOf(writers).filter(([a, b]) =>
    names.length > 1
      ? [a.name, b.name].toSorted().join() === names.toSorted().join()
      : [a.name, b.name].includes(names[0]!),
  );
  const report = await runMatrix(Array.from({ length: times }, () => pairs).flat());
  process.stdout.write(`contention: ${describeReport(report)}\n`);
  expect(report.faults).toEqual([]);
  expect(report.deadlocks).toBe(0);
});
