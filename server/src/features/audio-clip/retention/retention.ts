import type { Retention } from '@earshot/contract/audio-clip-retention';
import { notFound } from '../../../errors.ts';
import type { Db, Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Log } from '../../../platform/log.ts';
import { startLoop } from '../../../platform/loop.ts';
import { expireFiles, findRetention, removeOldClips } from './queries.ts';
import { removeUnusedFiles } from '../../file/public.ts';
import type { RemoveCaptions } from '../version/rules.ts';
import { expireVersions } from './version-queries.ts';

const mostAtOnce = 500;
const mostCounted = 100_000;

export async function countExpiring(
  db: Db,
  caller: Caller,
  deviceID: number,
  askedDays: number | undefined,
): Promise<Retention> {
  const retention = await findRetention(db, caller, deviceID, askedDays, mostCounted);
  if (!retention) throw notFound('device', deviceID);
  return retention;
}

export interface RetentionParts {
  readonly db: Pool;
  /** How long former sound is kept on devices without retention days. */
  readonly versionDays: number;
  readonly removeCaptions: RemoveCaptions;
}

/**
 * Removes expired files and clips. Runs on every node, and the nodes share the work. Returns a function that stops it.
 */
export function startRetention(parts: RetentionParts, log: Log, everyMs: number): () => Promise<void> {
  return startLoop('retention', everyMs, () => sweepOldClips(parts), log);
}

/** Removes files first, then former sound, then the rows of clips without a file. Each batch is one transaction. */
export async function sweepOldClips({ db, versionDays, removeCaptions }: RetentionParts): Promise<void> {
  let isMore = true;
  while (isMore) {
    const expired = await inTransaction(db, async (tx) => {
      const fileIDs = await expireFiles(tx, mostAtOnce);
      await removeUnusedFiles(tx, [...new Set(fileIDs)]);
      return fileIDs.length;
    });
    isMore = expired === mostAtOnce;
  }
  while ((await inTransaction(db, (tx) => sweepVersions(tx, versionDays, removeCaptions))) === mostAtOnce);
  while ((await removeOldClips(db, mostAtOnce)) === mostAtOnce);
}

async function sweepVersions(tx: Db, versionDays: number, removeCaptions: RemoveCaptions): Promise<number> {
  const removed = await expireVersions(tx, versionDays, mostAtOnce);
  if (removed.length > 0) await removeCaptions(tx, removed);
  await removeUnusedFiles(tx, [...new Set(removed.map(({ fileID }) => fileID))]);
  return removed.length;
}
