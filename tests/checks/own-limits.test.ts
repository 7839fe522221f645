import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../process/server-process.ts';

const packages = ['contract', 'server/src', 'client/src', 'agent/src', 'cli/src', 'console/src', 'tests'];
const isShortTest = (path: string): boolean =>
  (path.endsWith('.test.ts') && !path.endsWith('.long.test.ts')) || path.endsWith('/scene.ts');

/** Limits of seconds and more; less is the pause of a program, or how long a pool may take to end. */
const ownLimit = /\btimeout: \d[\d_]{3,}/;

test('no short test has a limit of its own: on a busy machine it would fail without a fault', () => {
  const files = packages.flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => !path.includes('node_modules') && isShortTest(path))
      .map((path) => join(folder, path)),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((path) => ownLimit.test(readFileSync(join(repository, path), 'utf8')))).toEqual([]);
});
