import { stat, unlink } from 'node:fs/promises';
import { diskPath } from './file-name.ts';
import type { Journal } from './journal.ts';
import { metadataPath } from './radio-call.ts';
import type { Entry, OtherFile } from './recording.ts';
import { filesOf } from './recording.ts';

/**
 * Removes the files of an uploaded recording, and the description beside each. A file that is no longer the one that was
 * uploaded stays: it is another recording.
 */
export async function removeUploaded(journal: Journal, entry: Entry): Promise<void> {
  for (const file of filesOf(entry)) {
    if (!(await isSameFile(file, entry.bytes))) continue;
    await removeFile(file.path);
    if (entry.call) await removeFile(metadataPath(file.path));
  }
  await journal.setRemoved(entry, 'uploaded');
}

async function isSameFile({ path, modifiedMs }: OtherFile, bytes: number): Promise<boolean> {
  const found = await stat(diskPath(path)).catch(ignoreMissing);
  return found?.size === bytes && Math.round(found.mtimeMs) === modifiedMs;
}

/** It may be gone already. */
export const removeFile = (path: string): Promise<void> => unlink(diskPath(path)).catch(ignoreMissing);

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
