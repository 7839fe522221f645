import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { Db } from '../../../platform/database/connect.ts';
import { isWatchedForWords } from '../../rule/public.ts';
import { noteClipsToMeasure } from '../../clip-facts/public.ts';
import { setFormerAside } from '../former-queries.ts';

export interface ClipToCaption {
  readonly clipID: number;
  readonly deviceID: number;
  /** Whether its device captions all clips, and no caption of this sound exists or is queued. */
  readonly isDue: boolean;
  /** Whether somebody requested the times of words before the sound was uploaded. */
  readonly areWordsRequested: boolean;
  /** Whether a rule with a place looks for words in it. */
  readonly isWatched: boolean;
}

/**
 * The given clips whose sound is uploaded and must be captioned. Sets aside captions of their former sound, and notes that
 * the sound must be measured. The transaction that set their file holds their locks, so no other transaction can order the
 * same captions.
 */
export async function findClipsToCaption(tx: Db, clipIDs: readonly number[]): Promise<ClipToCaption[]> {
  return tx<ClipToCaption[]>`
    with ${setFormerAside(tx, clipIDs)},
    here as (
      select c.key as "clipID", c.device_id as "deviceID",
        d.auto_caption
          and not exists (
            select 1 from captions p where p.audio_clip_id = c.key and coalesce(p.file_id, c.file_id) = c.file_id
              and p.audio_clip_id not in (select key from aside))
          and not exists (
            select 1 from caption_orders o join events e on e.key = o.event_id
            where o.audio_clip_id = c.key and e.event_status between 1 and 3) as "isDue",
        exists (select 1 from caption_wishes w where w.audio_clip_id = c.key) as "areWordsRequested"
      from unnest(${clipIDs as number[]}::bigint[]) as n (key)
      join audio_clips c on c.key = n.key join devices d on d.key = c.device_id
      where c.audio_clip_status = ${audioClipStatus.available} and c.file_id is not null),
    noted as (${noteClipsToMeasure(tx, tx`select "clipID", "isDue" from here`)})
    select h.*, case when h."isDue" then ${isWatchedForWords(tx, tx`h."clipID"`, tx`h."deviceID"`)} else false end as "isWatched"
    from here h where "isDue" or "areWordsRequested" order by "clipID"`;
}

/** Stores which event will caption each clip. */
export async function putOrders(
  tx: Db,
  orders: readonly { readonly clipID: number; readonly eventID: number }[],
): Promise<void> {
  if (orders.length === 0) return;
  await tx`
    insert into caption_orders (audio_clip_id, event_id)
    select * from unnest(${orders.map(({ clipID }) => clipID)}::bigint[], ${orders.map(({ eventID }) => eventID)}::bigint[])
    on conflict (audio_clip_id) do update set event_id = excluded.event_id`;
}

/** Ends the clip's order: a file that is set from now on needs a new one. */
export async function removeOrder(tx: Db, clipID: number, eventID: number): Promise<void> {
  await tx`delete from caption_orders where audio_clip_id = ${clipID} and event_id = ${eventID}`;
}

export async function putWordRequest(tx: Db, userID: number, clipID: number): Promise<void> {
  await tx`
    insert into caption_wishes (audio_clip_id, user_id) values (${clipID}, ${userID})
    on conflict (audio_clip_id) do nothing`;
}

export async function removeWordRequests(tx: Db, clipIDs: readonly number[]): Promise<void> {
  if (clipIDs.length === 0) return;
  await tx`delete from caption_wishes where audio_clip_id = any(${clipIDs as number[]}::bigint[])`;
}
