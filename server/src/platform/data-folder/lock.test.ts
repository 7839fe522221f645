import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, onTestFinished, test } from 'vitest';

import { compileProgram } from '../../testing/compile-program.ts';
import { lockDataFolder } from './lock.ts';

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Resolves when a separate process holds the lock. */
async function lockApart(folder: string, after = 'setInterval(() => {}, 60_000);'): Promise<ChildProcess> {
  const program = compileProgram(`
    import { lockDataFolder } from ${JSON.stringify(fileURLToPath(new URL('lock.ts', import.meta.url)))};
    await lockDataFolder(process.argv[2] ?? '');
    console.log('locked');
    ${after}`);
  const child = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

test('a second server is refused under any path to the folder, with the process id of the holder', async () => {
  const folder = await makeFolder();
  const otherPath = join(await makeFolder(), 'link');
  await symlink(folder, otherPath);
  const holder = await lockApart(folder);

  for (const path of [folder, otherPath]) {
    await expect(lockDataFolder(path)).rejects.toThrow(
      new Error(
        `the data folder ${path} is in use by another Earshot server (process ${holder.pid}); stop that one first, or choose another EARSHOT_DATA_DIR`,
      ),
    );
  }
});

test('a killed holder releases the lock', async () => {
  const folder = await makeFolder();
  const holder = await lockApart(folder);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  const lock = await lockDataFolder(folder);
  await lock.release();
});

test('a released lock can be taken again, and locks of other folders do not conflict', async () => {
  const [folder, other] = [await makeFolder(), await makeFolder()];
  const lock = await lockDataFolder(folder);
  const otherLock = await lockDataFolder(other);
  await Promise.all([lock.release(), lock.release()]);
  const again = await lockDataFolder(folder);
  await Promise.all([again.release(), otherLock.release()]);
});

test('holding the lock does not keep the process running', async () => {
  const child = await lockApart(await makeFolder(), '');
  if (child.exitCode === null) await once(child, 'exit');
  expect(child.exitCode).toBe(0);
});

test('a missing data folder is created', async () => {
  const folder = join(await makeFolder(), 'new', 'data');
  const lock = await lockDataFolder(folder);
  await expect(lockDataFolder(folder)).rejects.toThrow(`(process ${process.pid})`);
  await lock.release();
});
