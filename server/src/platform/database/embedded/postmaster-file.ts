import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { isPostgresOf, processExists } from './processes.ts';

/** The information that the postmaster writes to `postmaster.pid`. */
export interface PostmasterFile {
  readonly pid: number;
  /** Empty until the socket is open. */
  readonly socketFolder: string;
  /** `starting`, `ready`, `stopping`, or empty right after the start. */
  readonly status: string;
}

/** Undefined if the file does not exist or a crash left it incomplete. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const lines = await readLines(pathIn(cluster));
  const pid = parsePid(lines);
  if (pid === undefined) return undefined;
  return { pid, socketFolder: lines[4] ?? '', status: (lines[7] ?? '').trim() };
}

/** The file of a running postmaster; undefined for a stale file of a crash or reboot. */
export async function readLivePostmaster(cluster: string): Promise<PostmasterFile | undefined> {
  const file = await readPostmasterFile(cluster);
  return file !== undefined && (await isPostgresOf(cluster, file.pid)) ? file : undefined;
}

/**
 * Removes lock files that would prevent PostgreSQL from starting: an empty one, or one whose process id now belongs to
 * another program or to a zombie. PostgreSQL replaces any other stale file itself, and also cleans up the shared memory
 * that postmaster.pid names. Call it only when no process of the cluster is left.
 */
export async function clearMisleadingFiles(cluster: string, socketLock: string): Promise<void> {
  for (const path of [pathIn(cluster), socketLock]) {
    const pid = parsePid(await readLines(path));
    if (pid === undefined || processExists(pid)) await rm(path, { force: true });
  }
}

function pathIn(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

async function readLines(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n');
}

function parsePid([first]: readonly string[]): number | undefined {
  const pid = Number(first);
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}
