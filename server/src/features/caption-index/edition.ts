import type { Pool } from '../../platform/database/connect.ts';
import type { Log } from '../../platform/log.ts';
import { startLoop } from '../../platform/loop.ts';
import { findCaptionsFrom, findEdition, moveEdition, rewriteCaption } from './edition-queries.ts';

/** Raised with every change of the contract's `search-words.ts` or of `grams.ts`: all captions are then written anew for the search. */
export const currentEdition = 2;

const atOnce = 200;
const lookMs = 300_000;

/**
 * Writes captions anew that were written for the search by another edition of the platform: the oldest first, beside the
 * usual work, and on from there after a stop. Until it is done, some older words are not found.
 */
export function startRewriting(db: Pool, log: Log): () => Promise<void> {
  const stopping = new AbortController();
  const work = async (): Promise<void> => {
    while (await rewriteSome(db, log, stopping.signal));
  };
  const stopLoop = startLoop('caption search edition', lookMs, work, log, true);
  return async () => {
    stopping.abort();
    await stopLoop();
  };
}

/** Whether there may be more to do. */
async function rewriteSome(db: Pool, log: Log, signal: AbortSignal): Promise<boolean> {
  const before = await findEdition(db);
  // A newer node beside this one knows better.
  if (before.edition >= currentEdition) return false;
  const clipIDs = await findCaptionsFrom(db, before.nextClipID, atOnce);
  const last = clipIDs.at(-1);
  if (last === undefined) {
    await moveEdition(db, before, { edition: currentEdition, nextClipID: 0 });
    if (before.nextClipID > 0) log.info({ edition: currentEdition }, 'all captions were written anew for the search');
    return false;
  }
  if (before.nextClipID === 0) log.info({ edition: currentEdition }, 'captions are being written anew for the search');
  for (const clipID of clipIDs) {
    if (signal.aborted) return false;
    await rewriteCaption(db, clipID);
  }
  await moveEdition(db, before, { edition: before.edition, nextClipID: last + 1 });
  return true;
}
