import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { longestTests } from '../../scripts/longest-tests.mjs';
import { repository } from '../process/server-process.ts';

test('each of the longest test files exists, once', () => {
  expect(longestTests.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
  expect(new Set(longestTests).size).toBe(longestTests.length);
});
