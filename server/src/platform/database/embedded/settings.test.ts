import { expect, test } from 'vitest';
import { chooseBuffers } from './settings.ts';

const gigabyte = 1024 ** 3;

test.each([
  ['a small machine', gigabyte, 0, '128MB'],
  ['a large machine', 64 * gigabyte, 0, '1024MB'],
  ['a container on a large machine', 64 * gigabyte, 2 * gigabyte, '256MB'],
  ['a tiny container', 64 * gigabyte, gigabyte / 8, '32MB'],
  ['no limit, reported as a huge one', 4 * gigabyte, 2 ** 63, '512MB'],
  ['a runtime that reports no limit', 4 * gigabyte, undefined, '512MB'],
])('the size of shared buffers for %s', (_, machineBytes, allowedBytes, expected) => {
  expect(chooseBuffers(machineBytes, allowedBytes)).toBe(expected);
});
