import { open, stat, unlink } from 'node:fs/promises';
import type { Prove } from './connection/proof.ts';
import { diskPath, showPath } from './file-name.ts';
import { hashBytes } from './hash-recording.ts';
import type { Journal } from './journal.ts';
import type { AgentLog } from './log.ts';
import { metadataPath } from './radio-call.ts';
import type { Entry, OtherFile } from './recording.ts';
import { filesOf } from './recording.ts';

export interface RemovalParts {
  readonly journal: Journal;
  readonly log: AgentLog;
  readonly prove: Prove;
}

/**
 * Removes the files of a recording that the platform has proven to have, and the description beside each. Removing cannot
 * be undone, so that each file is read once more: one whose bytes are not the proven ones stays, and is another recording.
 */
export async function removeUploaded(parts: RemovalParts, entry: Entry, signal: AbortSignal): Promise<void> {
  const { journal, log } = parts;
  for (const file of filesOf(entry)) {
    if (!(await looksAlike(file, entry.bytes))) continue;
    if (!(await hasProvenBytes(parts, entry, file.path, signal))) {
      log.write(
        'warning',
        `${showPath(file.path)} has other bytes than were uploaded; it stays, as another recording.`,
      );
      continue;
    }
    // It may have been replaced while it was read.
    if (!(await looksAlike(file, entry.bytes))) continue;
    await removeFile(file.path);
    if (entry.call) await removeFile(metadataPath(file.path));
  }
  await journal.setRemoved(entry, 'uploaded');
}

async function looksAlike({ path, modifiedMs }: OtherFile, bytes: number): Promise<boolean> {
  const found = await stat(diskPath(path)).catch(ignoreMissing);
  return found?.size === bytes && Math.round(found.mtimeMs) === modifiedMs;
}

async function hasProvenBytes(
  { prove }: RemovalParts,
  { clipID, bytes, sha256 }: Entry,
  path: string,
  signal: AbortSignal,
): Promise<boolean> {
  const file = await open(diskPath(path), 'r');
  try {
    const found = await hashBytes(file, 0, bytes, undefined, signal);
    if (found === undefined || sha256 !== undefined) return found === sha256;
    // Agents before 0.2 kept no hash.
    return (await prove(clipID ?? 0, found, signal)) !== 'missing';
  } finally {
    await file.close();
  }
}

/** It may be gone already. */
export const removeFile = (path: string): Promise<void> => unlink(diskPath(path)).catch(ignoreMissing);

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
