import type { Db } from '../../platform/database/connect.ts';
import { findUses, lockFiles, releaseFiles, removeFiles, setSweepDate } from './queries.ts';

/** Days until the sweep checks a file again that no clip has as its sound. */
const checkAgainDays = 7;

/** For a clip that gets another file: schedules the check whether the former file is still used. */
export const releaseFile = (tx: Db, fileID: number): Promise<void> => releaseFiles(tx, [fileID], checkAgainDays);

/** Removes those of the files that no clip, no version of a clip and no collection uses. Bookmarks keep nothing. */
export async function removeUnusedFiles(tx: Db, fileIDs: readonly number[]): Promise<void> {
  if (fileIDs.length === 0) return;
  // Lock first, then check: a transaction that starts to use a file waits for the lock, and earlier uses are visible.
  const found = await findUses(tx, await lockFiles(tx, fileIDs));
  const keys = (uses: readonly { key: number }[]) => uses.map(({ key }) => key);
  const [held, free] = [found.filter(({ byClip }) => byClip), found.filter(({ byClip }) => !byClip)];
  const isKept = (use: (typeof found)[number]) => use.byCollection || use.byVersion;
  await removeFiles(tx, keys(free.filter((use) => !isKept(use))));
  await releaseFiles(tx, keys(free.filter(isKept)), checkAgainDays);
  await setSweepDate(tx, keys(held), null);
}
