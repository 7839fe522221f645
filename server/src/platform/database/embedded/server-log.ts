import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

import type { RunAs } from './run-as.ts';
import { isRoot } from './run-as.ts';

export const largestLogBytes = 16 * 1024 * 1024;
const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR, O_WRONLY } = constants;
const readBackBytes = 64 * 1024;

/** PostgreSQL's own log file, opened for writing; `sizeBefore` is where this run begins. */
export interface ServerLog {
  readonly file: FileHandle;
  readonly sizeBefore: number;
}

export async function openServerLog(path: string, runAs: RunAs): Promise<ServerLog> {
  if ((await sizeOf(path)) > largestLogBytes) await rename(path, earlierPart(path));
  // The folder may belong to another user, so links in it are not followed.
  const file = await open(path, O_APPEND | O_CREAT | O_NOFOLLOW | O_RDWR, 0o600);
  if (isRoot()) await file.chown(runAs.uid, runAs.gid);
  return { file, sizeBefore: (await file.stat()).size };
}

/**
 * Moves a log that became too large to a second file, replacing the one before. PostgreSQL keeps writing to the file that
 * it has open, so the text is copied and the file emptied; a line written in between is lost.
 */
export async function limitServerLog(path: string, runAs: RunAs): Promise<void> {
  if ((await sizeOf(path)) <= largestLogBytes) return;
  const file = await open(path, O_NOFOLLOW | O_RDWR);
  try {
    await rm(earlierPart(path), { force: true });
    const earlier = await open(earlierPart(path), O_CREAT | O_EXCL | O_WRONLY, 0o600);
    if (isRoot()) await earlier.chown(runAs.uid, runAs.gid);
    await pipeline(file.createReadStream({ autoClose: false }), earlier.createWriteStream());
    await file.truncate();
  } finally {
    await file.close();
  }
}

const earlierPart = (path: string) => `${path}.1`;

const sizeOf = (path: string): Promise<number> =>
  lstat(path).then(
    (found) => found.size,
    () => 0,
  );

/** The text written since then, limited to its last part. */
export async function readSince(path: string, sizeBefore: number): Promise<string> {
  const file = await open(path, constants.O_RDONLY | O_NOFOLLOW);
  try {
    const { size } = await file.stat();
    // A smaller file was emptied meanwhile.
    const from = Math.max(size < sizeBefore ? 0 : sizeBefore, size - readBackBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(0, size - from)), 0, undefined, from);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
