import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { expect, test } from 'vitest';
import { makeArchiveSeven } from '../../cli/src/testing/rdio-archive-file.ts';
import { repository } from '../process/server-process.ts';
import { gitSettings, runGit } from './git-folder.ts';

/* A whole release of the last commit, in a clone. `npx` loads the one package that it needs from the npm registry. */

const run = promisify(execFile);

/** A clean clone of the last commit with the dependencies of this repository. */
async function openClone(): Promise<string> {
  const clone = join(await openScratch(), 'clone');
  runGit(repository, 'clone', '--quiet', repository, clone);
  runGit(clone, 'checkout', '--quiet', '-B', 'main', runGit(repository, 'rev-parse', 'HEAD'));
  const modules = join(clone, 'node_modules');
  await mkdir(join(modules, '@earshot'), { recursive: true });
  for (const name of await readdir(join(repository, 'node_modules'))) {
    if (name !== '@earshot') await symlink(join(repository, 'node_modules', name), join(modules, name));
  }
  for (const name of await readdir(join(repository, 'node_modules/@earshot'))) {
    await symlink(join('../..', name), join(modules, '@earshot', name));
  }
  return clone;
}

const release = (clone: string, ...args: string[]) =>
  run('npm', ['run', 'release', '--', ...args], { cwd: clone, env: { ...process.env, ...gitSettings } });

const readSums = (folder: string) => readFile(join(folder, 'SHA256SUMS'), 'utf8');

/** The version in package.json, which is the one that is released. */
async function readNext(folder: string): Promise<string> {
  return (JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}

test('two clones of one commit make the same files, and npx runs the packed command line', async () => {
  const folders: string[] = [];
  for (const clone of [await openClone(), await openClone()]) {
    const into = join(clone, 'dist/release');
    await release(clone, '--dry-run', '--into', into);
    expect(runGit(clone, 'status', '--porcelain')).toBe('');
    folders.push(into);
  }
  const [first = '', second = ''] = folders;
  expect(await readSums(first)).toBe(await readSums(second));
  await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: first });

  const { stdout: version } = await run(process.execPath, ['scripts/version.mjs'], { cwd: join(first, '../..') });
  const name = version.trim().split('+')[0];
  expect((await readdir(first)).toSorted()).toEqual(
    [
      'SHA256SUMS',
      'THIRD-PARTY.txt',
      `earshot-${name}-image-context.tar.gz`,
      `earshot-${name}.cdx.json`,
      `earshot-${name}.mjs`,
      `earshot-${name}.tgz`,
      `earshot-agent-${name}.mjs`,
      `earshot-agent-launch-${name}.mjs`,
      `earshot-client-${name}.tgz`,
    ].toSorted(),
  );
  const printVersion = async (file: string) => (await run(process.execPath, [join(first, file), '--version'])).stdout;
  expect(await printVersion(`earshot-agent-${name}.mjs`)).toBe(version);
  expect(await printVersion(`earshot-${name}.mjs`)).toBe(version);
  await expectImportRefused(join(first, `earshot-${name}.mjs`));
  await runPackage(join(first, `earshot-${name}.tgz`), version.trim());

  const unpacked = await openScratch();
  await run('tar', ['-xzf', join(first, `earshot-${name}-image-context.tar.gz`), '-C', unpacked]);
  expect((await run(process.execPath, ['scripts/version.mjs'], { cwd: unpacked })).stdout).toBe(version);
});

/** The one file has no SQLite, which is a package of its own. */
async function expectImportRefused(program: string): Promise<void> {
  const folder = await openScratch();
  const archive = join(folder, 'rdio-scanner.db');
  makeArchiveSeven(archive, []);
  // Away from the packages of the clone.
  const copy = join(folder, 'earshot.mjs');
  await copyFile(program, copy);
  const importing = run(process.execPath, [copy, 'import', 'rdio', archive], {
    env: { ...process.env, EARSHOT_URL: 'http://127.0.0.1:9', EARSHOT_ACCESS_KEY: 'a', EARSHOT_SECRET_KEY: 's' },
  });
  await expect(importing).rejects.toMatchObject({ stderr: expect.stringContaining('Use its package instead') });
}

/** In an empty folder, with a server that runs. */
async function runPackage(packed: string, version: string): Promise<void> {
  const server = await sharedTestServer();
  const { credential } = await (await server.addPerson()).withKey();
  const env = {
    ...process.env,
    EARSHOT_URL: server.url,
    EARSHOT_ACCESS_KEY: credential.accessKey,
    EARSHOT_SECRET_KEY: credential.secretKey,
  };
  const cwd = await openScratch();
  const name = `./${basename(packed)}`;
  // Of another folder, npx takes the file for a program.
  await copyFile(packed, join(cwd, name));
  const npx = async (...words: string[]) => (await run('npx', ['--yes', name, ...words], { cwd, env })).stdout;
  expect(await npx('--help')).toContain('earshot');
  expect(JSON.parse(await npx('version', '--json'))).toEqual({
    earshot: version,
    server: '0.0.0-test',
    url: server.url,
  });
}

test('a release commits the changelog, tags it, sets the next version, and its tag makes the same files again', async () => {
  const clone = await openClone();
  const version = await readNext(clone);
  const before = runGit(clone, 'rev-parse', 'HEAD');
  const into = join(clone, 'dist/release');
  await release(clone, '--skip-tests', '--into', into, '--next', '99.0.0');
  expect(runGit(clone, 'log', '--format=%s', `${before}..HEAD`).split('\n')).toEqual([
    'Version 99.0.0 comes next',
    `Release ${version}`,
  ]);
  expect(runGit(clone, 'cat-file', '-t', `v${version}`)).toBe('tag');
  expect(runGit(clone, 'diff', '--name-only', before, `v${version}`)).toBe('CHANGELOG.md');
  expect(runGit(clone, 'show', `v${version}:CHANGELOG.md`)).toMatch(
    new RegExp(`^## ${version} – \\d{4}-\\d\\d-\\d\\d$`, 'm'),
  );
  expect(await readNext(clone)).toBe('99.0.0');
  expect(runGit(clone, 'status', '--porcelain')).toBe('');

  runGit(clone, 'checkout', '--quiet', `v${version}`);
  const again = join(clone, 'dist/again');
  await release(clone, '--dry-run', '--into', again);
  expect(await readSums(again)).toBe(await readSums(into));
  expect(await readSums(again)).toContain(` earshot-${version}.tgz\n`);
});
