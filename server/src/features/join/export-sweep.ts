import type { Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Log } from '../../platform/log.ts';
import { startLoop } from '../../platform/loop.ts';
import { removeUnusedFiles } from '../file/public.ts';
import { findEnded, forgetExports } from './export-queries.ts';

const mostAtOnce = 100;

/**
 * Removes results that nobody asked for any longer: of an export that was cancelled or failed while its result was
 * written, and of a person who was removed. Forgets exports of which nothing is kept.
 */
export const startExportSweep = (db: Pool, log: Log, everyMs: number): (() => Promise<void>) =>
  startLoop('exports', everyMs, () => sweepExports(db), log);

async function sweepExports(db: Pool): Promise<void> {
  for (;;) {
    const ended = await findEnded(db, mostAtOnce);
    if (ended.length === 0) return;
    await inTransaction(db, async (tx) => {
      await removeUnusedFiles(
        tx,
        ended.flatMap(({ fileID }) => fileID ?? []),
      );
      await forgetExports(
        tx,
        ended.map(({ eventID }) => eventID),
      );
    });
    if (ended.length < mostAtOnce) return;
  }
}
