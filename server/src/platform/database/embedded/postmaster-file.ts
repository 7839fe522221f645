import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { isPostgresOf, processExists } from './processes.ts';

/** What the postmaster writes about itself into `postmaster.pid`. */
export interface PostmasterFile {
  readonly pid: number;
  /** Empty until the socket is open. */
  readonly socketFolder: string;
  /** `starting`, `ready`, `stopping`, or empty in the first moments. */
  readonly status: string;
}

/** Undefined when there is none, or one that a crash left half-written. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const lines = await readLines(pathIn(cluster));
  const pid = parsePid(lines);
  if (pid === undefined) return undefined;
  return { pid, socketFolder: lines[4] ?? '', status: (lines[7] ?? '').trim() };
}

/** The file of a postmaster that lives; a crash or a reboot leaves one behind that says nothing. */
export async function readLivePostmaster(cluster: string): Promise<PostmasterFile | undefined> {
  const file = await readPostmasterFile(cluster);
  return file !== undefined && (await isPostgresOf(cluster, file.pid)) ? file : undefined;
}

/**
 * Removes the lock files that PostgreSQL would stumble over: an empty one, or one whose process id
 * now belongs to a stranger, or to a zombie that its parent never collects. Any other stale file
 * it replaces itself, and better, as postmaster.pid also names the shared memory to clean up. To
 * be called when no process of the cluster is left.
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
