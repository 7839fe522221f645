import { expect, test } from 'vitest';
import { isInside } from './is-inside.ts';

test.each([
  ['/recordings', '/recordings/a.wav', true],
  ['/recordings/', '/recordings/2026/a.wav', true],
  ['/recordings', '/recordings-2/a.wav', false],
  ['/recordings', '/other/a.wav', false],
])('whether %s contains %s: %s', (folder, file, isThere) => {
  expect(isInside(folder, file)).toBe(isThere);
});
