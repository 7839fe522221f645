import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isNamedByProcess } from '../platform/database/embedded/processes.ts';

/** Linux keeps the files of this folder in memory. */
const memoryFolder = '/dev/shm';
const gibibyte = 1024 ** 3;
/** More than ten times what a run of the ordinary tests needs. */
const leastFreeBytes = 6 * gibibyte;
const prefix = 'earshot-tests-';
/** Until then a new folder may have no process yet. */
const newMs = 600_000;

/**
 * The folder of all temporary files of a test run, which any user may use: in memory where there is enough of it,
 * because hundreds of databases are created and removed. A killed process loses no more there than on a disk. A large
 * run, of millions of rows, uses the disk.
 */
export async function makeRunFolder({ isLarge }: { isLarge: boolean }): Promise<string> {
  await Promise.all([memoryFolder, tmpdir()].map(removeAbandoned));
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

/** A run ends with its guard (run-guard.ts), unless both were killed: then the next run removes its folder. */
async function removeAbandoned(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const folder = join(parent, name);
    const ageMs = await stat(folder).then(
      ({ birthtimeMs }) => Date.now() - birthtimeMs,
      () => 0,
    );
    // Another user's folder stays.
    if (ageMs > newMs && !(await isNamedByProcess(folder)))
      await rm(folder, { recursive: true }).catch(() => undefined);
  }
}

async function makeFolder(parent: string): Promise<string> {
  const folder = await mkdtemp(join(parent, prefix));
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
