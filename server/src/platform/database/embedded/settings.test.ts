import { expect, test } from 'vitest';
import { chooseBuffers, listServerArguments } from './settings.ts';

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

test.each([
  ['waits for the disk', false, ['fsync=on', 'synchronous_commit=on']],
  ['does not if it is disposable', true, ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']],
])('a database %s', (_, isDisposable, expected) => {
  const written = listServerArguments('/cluster', '/socket', isDisposable);
  expect(written.filter((each) => /^(fsync|synchronous_commit|full_page_writes)=/.test(each))).toEqual(expected);
});
