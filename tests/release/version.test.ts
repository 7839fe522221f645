import { execFileSync } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { expect, test } from 'vitest';
import { repository } from '../process/server-process.ts';
import { openGitFolder } from './git-folder.ts';
import { loadVersionScript } from './scripts.ts';

const { compareVersions, findVersion } = await loadVersionScript();
const manifest = (version: string) => JSON.stringify({ version });

test('builds between releases are older than the next release, in the order of their commits', () => {
  const ordered = [
    '0.1.0',
    '0.2.0-dev+unknown',
    '0.2.0-dev.2+8fd831d',
    '0.2.0-dev.10+1234567',
    '0.2.0-dev.10.1',
    '0.2.0-dev.x',
    '0.2.0-rc.1',
    '0.2.0',
    '0.2.1-dev.1+abcdef0',
    '0.10.0',
    '1.0.0',
  ];
  for (const [at, version] of ordered.entries()) {
    for (const [place, other] of ordered.entries()) {
      expect(Math.sign(compareVersions(version, other)), `${version} and ${other}`).toBe(Math.sign(at - place));
    }
  }
  expect(compareVersions('0.2.0-dev.2+8fd831d', '0.2.0-dev.2+1234567.changed')).toBe(0);
  expect(() => compareVersions('v0.2', '0.2.0')).toThrow('“v0.2” is not a version');
});

test('git gives the number of commits since the last release, the commit, and whether files are changed', async () => {
  const folder = await openGitFolder();
  folder.write('package.json', manifest('0.2.0'));
  expect(findVersion(folder.path)).toBeUndefined();
  folder.commit('First');
  folder.commit('Second');
  const commit = () => folder.git('rev-parse', '--short=7', 'HEAD');
  expect(findVersion(folder.path)).toBe(`0.2.0-dev.2+${commit()}`);
  folder.git('tag', '--annotate', 'v0.2.0', '--message', 'Earshot 0.2.0');
  expect(findVersion(folder.path)).toBe('0.2.0');

  folder.write('package.json', manifest('0.3.0'));
  expect(findVersion(folder.path)).toBe(`0.3.0-dev.0+${commit()}.changed`);
  folder.commit('Third');
  // Other tags are not releases.
  folder.git('tag', 'tried-by-ann');
  expect(findVersion(folder.path)).toBe(`0.3.0-dev.1+${commit()}`);
});

test('without git, the file of the archive names the version, and a folder without both says so', async () => {
  const { path, git } = await openGitFolder();
  git('commit', '--quiet', '--allow-empty', '--message', 'Of another project');
  const folder = join(path, 'unpacked');
  await cp(join(repository, 'scripts'), join(folder, 'scripts'), { recursive: true });
  await writeFile(join(folder, 'package.json'), manifest('0.2.0'));
  const print = () => execFileSync(process.execPath, ['scripts/version.mjs'], { cwd: folder, encoding: 'utf8' });
  expect(findVersion(folder)).toBeUndefined();
  expect(print()).toBe('0.2.0-dev+unknown\n');
  await writeFile(join(folder, 'version.json'), manifest('0.2.0-dev.7+8fd831d'));
  expect(print()).toBe('0.2.0-dev.7+8fd831d\n');
});

test('only package.json names the next release', async () => {
  const read = async (name: string) => JSON.parse(await readFile(join(repository, name), 'utf8')) as Manifest;
  const { version, workspaces = [] } = await read('package.json');
  const lock = await read('package-lock.json');
  expect([lock.version, lock.packages?.['']?.version]).toEqual([version, version]);
  for (const name of workspaces) expect((await read(`${name}/package.json`)).version, name).toBe('0.0.0');
});

interface Manifest {
  readonly version: string;
  readonly workspaces?: readonly string[];
  readonly packages?: Readonly<Record<string, { readonly version: string }>>;
}

test('what is built names the same version in its file and in its program', async () => {
  for (const [folder, program] of [
    ['agent', 'agent.mjs'],
    ['cli', 'earshot.mjs'],
  ] as const) {
    // A copy, because another run may build it again in the meantime.
    const copy = join(await openScratch(), folder);
    await cp(join(repository, folder, 'dist'), copy, { recursive: true });
    const { version } = JSON.parse(await readFile(join(copy, 'version.json'), 'utf8')) as Manifest;
    expect(version).toMatch(/^\d+\.\d+\.\d+(-dev(\.\d+)?\+\w+(\.changed)?)?$/);
    const printed = execFileSync(process.execPath, [join(copy, program), '--version'], { encoding: 'utf8' });
    expect(printed).toBe(`${version}\n`);
  }
});
