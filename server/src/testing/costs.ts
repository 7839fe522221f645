import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
import { processorMsBelow, readProcesses } from './processor-time.ts';

/*
 * For `npm test -- --costs`: the processor time of each test file, in its worker and in the programs below it, some of
 * which serve several files. A worker runs one file after the other, so the difference belongs to the file.
 */

const list = process.env['EARSHOT_TEST_COSTS'];

if (list !== undefined) {
  const readMs = () => processorMsBelow(process.pid, readProcesses());
  const before = readMs();
  afterAll(() => {
    appendFileSync(list, `${JSON.stringify({ name: expect.getState().testPath, ms: readMs() - before })}\n`);
  });
}
