import type { Pool } from '../../platform/database/connect.ts';
import type { Log } from '../../platform/log.ts';
import { startLoop } from '../../platform/loop.ts';
import { findCaptionsFrom, findEdition, moveEdition, rewriteCaption } from './edition-queries.ts';

/**
 * Raise it with every change of the contract's `words/spoken.ts`, of `grams.ts` or of `words.ts`: all captions are then
 * indexed again.
 */
export const currentEdition = 4;

const atOnce = 200;
const checkIntervalMs = 300_000;

/**
 * Indexes captions again that another edition of the platform indexed. Runs in the background, oldest captions first,
 * and resumes after a restart. Until it has finished, searches may miss some words of older captions.
 */
export function startRewriting(db: Pool, log: Log): () => Promise<void> {
  const stopping = new AbortController();
  const work = async (): Promise<void> => {
    while (await rewriteSome(db, log, stopping.signal));
  };
  const stopLoop = startLoop('caption search edition', checkIntervalMs, work, log, 0);
  return async () => {
    stopping.abort();
    await stopLoop();
  };
}

/** Returns whether there may be more to index. */
async function rewriteSome(db: Pool, log: Log, signal: AbortSignal): Promise<boolean> {
  const before = await findEdition(db);
  // A node with a newer version runs beside this one; its edition is kept.
  if (before.edition >= currentEdition) return false;
  const clipIDs = await findCaptionsFrom(db, before.nextClipID, atOnce);
  const last = clipIDs.at(-1);
  if (last === undefined) {
    await moveEdition(db, before, { edition: currentEdition, nextClipID: 0 });
    if (before.nextClipID > 0)
      log.info({ edition: currentEdition }, 'all captions are indexed for the new search edition');
    return false;
  }
  if (before.nextClipID === 0)
    log.info({ edition: currentEdition }, 'indexing all captions for the new search edition');
  for (const clipID of clipIDs) {
    if (signal.aborted) return false;
    await rewriteCaption(db, clipID);
  }
  await moveEdition(db, before, { edition: before.edition, nextClipID: last + 1 });
  return true;
}
