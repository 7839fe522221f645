import { constants } from 'node:fs';
import { type FileHandle, lstat, open, rename } from 'node:fs/promises';

import { type RunAs, isRoot } from './run-as.ts';

const largestLogBytes = 16 * 1024 * 1024;
const readBackBytes = 64 * 1024;

/** PostgreSQL's own log file, opened for writing; `sizeBefore` is where this run begins. */
export interface ServerLog {
  readonly file: FileHandle;
  readonly sizeBefore: number;
}

export async function openServerLog(path: string, runAs: RunAs): Promise<ServerLog> {
  const size = await lstat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > largestLogBytes) await rename(path, `${path}.1`);
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants;
  // The folder may belong to another user, so links in it are not followed.
  const file = await open(path, O_APPEND | O_CREAT | O_NOFOLLOW | O_RDWR, 0o600);
  if (isRoot()) await file.chown(runAs.uid, runAs.gid);
  return { file, sizeBefore: (await file.stat()).size };
}

/** The text written since then, limited to its last part. */
export async function readSince(path: string, sizeBefore: number): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = await file.stat();
    const from = Math.max(sizeBefore, size - readBackBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(0, size - from)), 0, undefined, from);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
