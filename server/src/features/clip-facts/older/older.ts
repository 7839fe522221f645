import type { OlderClipFacts } from '@earshot/contract/clip-facts';
import type { Pool } from '../../../platform/database/connect.ts';
import type { MeasureParts } from '../measure.ts';
import { measureClip, NotMeasurable } from '../measure.ts';
import { findClipToMeasure, storeFacts } from '../store-queries.ts';
import { enableOlder, findOlder, findOlderPage, holdOlder, passOlder } from './older-queries.ts';

/*
 * Measuring clips of before facts were kept, newest first. One node does it, which holds the row of
 * `older_clips_to_measure`; the row has the key of the last clip that was passed, so another node continues there.
 */

export interface OlderParts {
  readonly db: Pool;
  /** Whether it is done if nobody has chosen. */
  readonly isUsual: boolean;
}

/** Reading everything from an object store can cost money, so there somebody must switch it on. */
export const isUsualIn = (storageUrl: string): boolean => storageUrl === '' || storageUrl.startsWith('file:');

export async function readOlder({ db, isUsual }: OlderParts): Promise<OlderClipFacts> {
  const { isEnabled, nextKey: _next, endedDate, ...counts } = await findOlder(db);
  return {
    isEnabled: isEnabled ?? isUsual,
    isEnded: endedDate !== null,
    ...counts,
    readsObjectStore: !isUsual,
  };
}

export async function changeOlder(parts: OlderParts, isEnabled: boolean): Promise<OlderClipFacts> {
  await enableOlder(parts.db, isEnabled);
  return readOlder(parts);
}

const leaseSeconds = 60;
const clipsPerLook = 200;

export interface OlderWork extends MeasureParts {
  /** Identifies this node. */
  readonly node: string;
  readonly isUsual: boolean;
}

/** Measures the next older clip, if this node does this work. Returns whether there may be more. */
export async function measureOlderClip(work: OlderWork, signal: AbortSignal): Promise<boolean> {
  const { db, node } = work;
  const hold = () => holdOlder(db, { node, isUsual: work.isUsual, leaseSeconds });
  const nextKey = await hold();
  if (nextKey === undefined) return false;
  const { keys, lastKey } = await findOlderPage(db, nextKey, clipsPerLook);
  const [clipID] = keys;
  if (clipID === undefined) {
    await passOlder(db, { node, nextKey: lastKey ?? 0, outcome: lastKey === undefined ? 'ended' : 'looked' });
    return lastKey !== undefined;
  }
  // A long clip ends when the work is switched off or another node does it.
  const stopping = new AbortController();
  const renew = async () => {
    if ((await hold()) === undefined) stopping.abort(new Error('measuring older clips was switched off'));
  };
  const renewing = setInterval(() => void renew().catch(() => {}), (leaseSeconds * 1000) / 4);
  try {
    const outcome = await measureOne(work, clipID, AbortSignal.any([signal, stopping.signal]));
    await passOlder(db, { node, nextKey: clipID, outcome });
    return true;
  } catch (error) {
    if (signal.aborted || stopping.signal.aborted) return false;
    throw error;
  } finally {
    clearInterval(renewing);
  }
}

async function measureOne(
  work: OlderWork,
  clipID: number,
  signal: AbortSignal,
): Promise<'measured' | 'failed' | 'looked'> {
  const clip = await findClipToMeasure(work.db, clipID);
  if (!clip) return 'looked';
  try {
    const isStored = await storeFacts(work.db, clipID, clip.fileID, await measureClip(work, clip, signal));
    return isStored ? 'measured' : 'looked';
  } catch (error) {
    if (!(error instanceof NotMeasurable)) throw error;
    await storeFacts(work.db, clipID, clip.fileID, { fault: error.message });
    return 'failed';
  }
}
