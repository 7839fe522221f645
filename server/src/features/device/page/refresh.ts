import type { Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import { noteEndedDays, summarise, takeNotes, tryLockSummaries } from './refresh-queries.ts';

const mostAtOnce = 2_000;

/** Computes the summaries that are noted, until none is left or another node does it. */
export async function refreshSummaries(db: Pool, isStopping: () => boolean = () => false): Promise<void> {
  while (!isStopping() && (await refreshSome(db)));
}

/** Returns whether there may be more. */
const refreshSome = (db: Pool): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    if (!(await tryLockSummaries(tx))) return false;
    await noteEndedDays(tx, mostAtOnce);
    const noted = await takeNotes(tx, mostAtOnce);
    if (noted.length > 0) await summarise(tx, noted);
    return noted.length > 0;
  });
