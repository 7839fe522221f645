import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import { indexCaption } from './index-queries.ts';

export interface Edition {
  readonly edition: number;
  /** All captions of clips with smaller keys are already indexed in the new edition. */
  readonly nextClipID: number;
}

export async function findEdition(db: Db): Promise<Edition> {
  const [row] = await db<[Edition]>`
    select edition, next_clip_id as "nextClipID" from caption_search_edition`;
  return row;
}

export async function findCaptionsFrom(db: Db, clipID: number, most: number): Promise<readonly number[]> {
  const rows = await db<{ clipID: number }[]>`
    select audio_clip_id as "clipID" from captions where audio_clip_id >= ${clipID} order by audio_clip_id limit ${most}`;
  return rows.map((row) => row.clipID);
}

/** Locks the clip as a change of its caption does, so that no newer text is overwritten. */
export function rewriteCaption(db: Pool, clipID: number): Promise<void> {
  return inTransaction(db, async (tx) => {
    await tx`select 1 from audio_clips where key = ${clipID} for share`;
    const [row] = await tx<{ transcript: string }[]>`select transcript from captions where audio_clip_id = ${clipID}`;
    if (row) await indexCaption(tx, { clipID, transcript: row.transcript });
  });
}

/** Does nothing if another node has progressed further meanwhile. */
export async function moveEdition(db: Db, from: Edition, to: Edition): Promise<void> {
  await db`
    update caption_search_edition set edition = ${to.edition}, next_clip_id = ${to.nextClipID}
    where edition = ${from.edition} and next_clip_id = ${from.nextClipID}`;
}
