import { expect, test } from 'vitest';
import { createLog } from './log.ts';

test('a line has an end: the platform takes no endless one, and the memory is not for pages of proxies', () => {
  const printed: string[] = [];
  const log = createLog((line) => void printed.push(line));
  log.write('error', `refused: ${'<p>'.repeat(1_000_000)}`);
  expect(log.waiting[0]?.message.length).toBeLessThanOrEqual(4_000);
  expect(log.waiting[0]?.message).toMatch(/^refused: <p>/);
  expect(printed[0]?.length).toBeLessThan(5_000);
});
