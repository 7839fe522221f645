import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux keeps the files of this folder in memory. */
const memoryFolder = '/dev/shm';
const gibibyte = 1024 ** 3;
/** More than ten times what a run of the ordinary tests needs. */
const leastFreeBytes = 6 * gibibyte;

/**
 * The folder of all temporary files of a test run, which any user may use: in memory where there is enough of it,
 * because hundreds of databases are created and removed. A killed process loses no more there than on a disk. A large
 * run, of millions of rows, uses the disk.
 */
export async function makeRunFolder({ isLarge }: { isLarge: boolean }): Promise<string> {
  const folder = !isLarge && (await hasRoom()) ? await makeExecutable(memoryFolder) : undefined;
  return folder ?? makeFolder(tmpdir());
}

async function hasRoom(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(memoryFolder);
    return Math.min(bavail * bsize, process.availableMemory()) > leastFreeBytes;
  } catch {
    return false;
  }
}

async function makeFolder(parent: string): Promise<string> {
  const folder = await mkdtemp(join(parent, 'earshot-tests-'));
  await chmod(folder, 0o1777);
  return folder;
}

/**
 * Undefined if this user may not write there, or if programs do not run there, as in many containers: some tests run a
 * copy of an installation.
 */
async function makeExecutable(parent: string): Promise<string | undefined> {
  let folder: string | undefined;
  try {
    folder = await makeFolder(parent);
    const program = join(folder, 'program');
    await writeFile(program, '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(program);
    return folder;
  } catch {
    if (folder !== undefined) await rm(folder, { recursive: true });
    return undefined;
  }
}
