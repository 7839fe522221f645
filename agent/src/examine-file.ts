import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { latestEpoch } from '@earshot/contract/values';
import { readRecordingTime, recordingHeadBytes } from '@earshot/contract/recording-time';
import { readShape } from './container-length.ts';
import { diskPath } from './file-name.ts';
import { hashBytes, hashTail } from './hash-recording.ts';
import type { HashQueue } from './hash-queue.ts';
import { readRadioCall } from './radio-call.ts';
import type { Entry, FinishedRecording } from './recording.ts';
import { largeBytes } from './recording.ts';

/** A file as a look found it. */
export interface FileOnDisk {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly changedMs: number;
}

export const inspectBytes = recordingHeadBytes;

/**
 * `unfinished`: its container promises more, or nothing. `hashing`: its hash is not known yet. `changing`: it changed while
 * it was read.
 */
export type Inspected = FinishedRecording | 'unfinished' | 'hashing' | 'changing' | 'encrypted';

export interface ExamineParts {
  /** Of `inspectBytes`, used again for the next file. */
  readonly buffer: Buffer;
  /** Hashes large files. */
  readonly hashes: Pick<HashQueue, 'find'>;
}

/**
 * Reads what identifies a recording. The start is read as it is for uploads in the console: from the file, its name, or
 * its date. `isOverdue`: it is taken as it is, because it has not grown for long.
 */
export async function examineFile(
  found: FileOnDisk,
  isOverdue: boolean,
  { buffer, hashes }: ExamineParts,
): Promise<Inspected> {
  const { path, bytes, modifiedMs } = found;
  const file = await open(diskPath(path), 'r');
  try {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, bytes), 0);
    const head = buffer.subarray(0, bytesRead);
    const call = await readRadioCall(path, head);
    if (call?.isEncrypted) return 'encrypted';
    const { durationMs, isWhole } = await readShape(file, bytes, head);
    if (!(isWhole ?? call?.isComplete) && !isOverdue) return 'unfinished';
    const name = path.split('/').at(-1) ?? '';
    const { start, source } = readRecordingTime({ head, name, lastModifiedMs: modifiedMs });
    // The date of a file is that of its end.
    const readMs = source === 'file' ? modifiedMs - Math.round(durationMs ?? 0) : (start ?? modifiedMs);
    // The head is no longer needed.
    const isLarge = bytes > largeBytes;
    const sha256 = isLarge ? hashes.find(found) : await hashBytes(file, 0, bytes, buffer);
    if (isLarge && sha256 === undefined) return 'hashing';
    const tailSha256 = await hashTail(file, bytes, buffer);
    if (sha256 === undefined || !(await isStill(file, found))) return 'changing';
    return {
      ...found,
      sha256,
      tailSha256,
      startMs: Math.min(Math.max(0, call?.startMs ?? readMs), latestEpoch * 1_000),
      durationMs: durationMs === undefined ? undefined : Math.round(durationMs),
      isOwn: false,
      ...(call ? { call: call.facts } : {}),
    };
  } finally {
    await file.close();
  }
}

async function isStill(file: FileHandle, { bytes, modifiedMs }: FileOnDisk): Promise<boolean> {
  const now = await file.stat();
  return now.size === bytes && Math.round(now.mtimeMs) === modifiedMs;
}

/** Whether a file has the bytes of the entry at their place, and more after them. */
export async function hasGrown(entry: Entry, { path, bytes }: FileOnDisk): Promise<boolean> {
  if (entry.path !== path || bytes <= entry.bytes || entry.tailSha256 === undefined) return false;
  const file = await open(diskPath(path), 'r');
  try {
    return (await hashTail(file, entry.bytes)) === entry.tailSha256;
  } finally {
    await file.close();
  }
}
