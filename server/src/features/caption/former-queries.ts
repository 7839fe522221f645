import type { Db, Fragment } from '../../platform/database/connect.ts';
import { recordChanges } from '../../platform/changes/record-changes.ts';
import type { RemovedSound } from '../audio-clip/public.ts';

/*
 * Captions belong to the sound that they were made of. When a clip gets other sound, its caption goes with the former
 * sound: the words are no longer shown or found, and people who may read the former sound find them there.
 */

/** Whether the version `v` of a caption was made of former sound of the clip `c`. */
export const isOfFormerSound = (db: Db): Fragment => db`
  (v.file_id is distinct from c.file_id and exists (
    select 1 from clip_versions s where s.audio_clip_id = c.key and s.file_id = v.file_id))`;

/**
 * Parts of a statement: takes captions of former sound from the given clips, which the transaction has locked. A caption
 * whose sound is unknown counts as made of the sound that the clip had at that time.
 */
export const setFormerAside = (db: Db, clipIDs: readonly number[]): Fragment => db`
  former as (
    select distinct on (s.audio_clip_id) s.audio_clip_id, s.file_id, s.former_date, c.file_id as present_id
    from clip_versions s join audio_clips c on c.key = s.audio_clip_id
    where s.audio_clip_id = any(${clipIDs as number[]}::bigint[]) order by s.audio_clip_id, s.key desc),
  bound as (
    update caption_versions v set file_id = former.file_id from former
    where v.audio_clip_id = former.audio_clip_id and v.file_id is null and v.creation_date <= former.former_date),
  aside as (
    delete from captions p using former
    where p.audio_clip_id = former.audio_clip_id and (
      p.file_id = former.file_id and p.file_id is distinct from former.present_id
      or p.file_id is null and coalesce(p.last_modified_date, p.creation_date) <= former.former_date)
    returning p.audio_clip_id as key, p.device_id),
  told as (${recordChanges(db, { kind: 'caption', change: 'removed', rows: db`aside` })})`;

/** Deletes the transcripts of sound that was removed, unless the clip has it again. */
export async function removeCaptions(tx: Db, sounds: readonly RemovedSound[]): Promise<void> {
  await tx`
    delete from caption_versions v using audio_clips c, unnest(
      ${sounds.map(({ clipID }) => clipID)}::bigint[], ${sounds.map(({ fileID }) => fileID)}::bigint[]) as n (clip_id, file_id)
    where v.audio_clip_id = n.clip_id and v.file_id = n.file_id and c.key = n.clip_id
      and c.file_id is distinct from n.file_id`;
}
