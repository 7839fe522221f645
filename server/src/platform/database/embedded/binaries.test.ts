import { mkdir, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { findBinaries, restoreLinks } from './binaries.ts';
import { openScratch } from './testing/scratch.ts';

async function makePackage(...targets: string[]): Promise<string> {
  const folder = await openScratch();
  await mkdir(join(folder, 'native', 'lib'), { recursive: true });
  await writeFile(join(folder, 'native', 'lib', 'lib.so.1.2'), '');
  const links = targets.map((target) => ({ source: 'native/lib/lib.so.1.2', target }));
  await writeFile(join(folder, 'native', 'pg-symlinks.json'), JSON.stringify(links));
  return folder;
}

test('several servers at once create the links that an install without scripts has left out', async () => {
  const folder = await makePackage('native/lib/lib.so', 'native/lib/lib.so.1');
  await Promise.all([restoreLinks(folder), restoreLinks(folder), restoreLinks(folder)]);
  expect(await readlink(join(folder, 'native', 'lib', 'lib.so'))).toBe('lib.so.1.2');
  expect(await readlink(join(folder, 'native', 'lib', 'lib.so.1'))).toBe('lib.so.1.2');
});

test('a link that cannot be created is reported in one line', async () => {
  const folder = await makePackage('native/missing/lib.so');
  await expect(restoreLinks(folder)).rejects.toThrow(
    /^the embedded PostgreSQL needs the link .*\(ENOENT\): .*EARSHOT_DATABASE_URL$/,
  );
});

test('the programs of this platform are found', async () => {
  expect(await findBinaries()).toEqual({
    initdb: expect.stringMatching(/native\/bin\/initdb$/),
    postgres: expect.stringMatching(/native\/bin\/postgres$/),
  });
});
