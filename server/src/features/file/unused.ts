import type { Db } from '../../platform/database/connect.ts';
import { findUses, lockFiles, removeFiles, setSweepDate } from './queries.ts';

/** Days until the sweep checks a file again that only a collection uses. */
const checkAgainDays = 7;

/** For a clip that gets another file: schedules the check whether the former file is still used. */
export const releaseFile = (tx: Db, fileID: number): Promise<void> => setSweepDate(tx, [fileID], checkAgainDays);

/** Removes those of the files that no clip and no collection uses. */
export async function removeUnusedFiles(tx: Db, fileIDs: readonly number[]): Promise<void> {
  if (fileIDs.length === 0) return;
  // Lock first, then check: a transaction that starts to use a file waits for the lock, and earlier uses are visible.
  const found = await findUses(tx, await lockFiles(tx, fileIDs));
  const keys = (uses: readonly { key: number }[]) => uses.map(({ key }) => key);
  const [held, free] = [found.filter(({ byClip }) => byClip), found.filter(({ byClip }) => !byClip)];
  await removeFiles(tx, keys(free.filter(({ byCollection }) => !byCollection)));
  await setSweepDate(tx, keys(free.filter(({ byCollection }) => byCollection)), checkAgainDays);
  await setSweepDate(tx, keys(held), null);
}
