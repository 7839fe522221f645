import { appendFileSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
import { processorMsOf } from './processor-time.ts';

/*
 * For `npm test -- --costs`: the processor time of each test file, in its worker and in the programs that it started and
 * that have ended. A worker runs one file after the other, so the difference belongs to the file.
 */

const list = process.env['EARSHOT_TEST_COSTS'];

if (list !== undefined) {
  const before = processorMsOf(readFileSync('/proc/self/stat', 'utf8'));
  afterAll(() => {
    const ms = processorMsOf(readFileSync('/proc/self/stat', 'utf8')) - before;
    appendFileSync(list, `${JSON.stringify({ name: expect.getState().testPath, ms })}\n`);
  });
}
