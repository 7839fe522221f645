import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { CarriedTag, Moments } from '../tag-queries.ts';

/** A tag of a clip as the contract shows it, over the aliases a (audio_clip_tags) and t (tags). */
export const clipTagColumns = (db: Db): Fragment => db`
  a.key, a.audio_clip_id as "audioClipID", a.device_id as "deviceID", a.tag_id as "tagID",
  (a.clip_start_ms + a.offset_ms) / 1000 as timestamp, (a.clip_start_ms + a.offset_ms) % 1000 as "timestampMs",
  a.confidence, a.creation_date as "creationDate", t.tag_name as "tagName"`;

export const tagColumns = (db: Db): Fragment => db`
  t.key, t.tag_name as "tagName", t.creation_date as "creationDate", t.created_by as "createdBy",
  t.last_modified_date as "lastModifiedDate", t.last_modified_by as "lastModifiedBy"`;

/** The tags of these clips, ordered by clip and time; if a range is given, only the tags within it. */
export async function listTagsOfClips(
  db: Db,
  clipIDs: readonly number[],
  moments: Moments | undefined,
): Promise<CarriedTag[]> {
  const within = moments
    ? db`and a.clip_start_ms + a.offset_ms >= ${moments.fromMs} and a.clip_start_ms + a.offset_ms < ${moments.toMs}`
    : db``;
  return db<CarriedTag[]>`
    select ${clipTagColumns(db)}, t.creation_date as "tagCreationDate", t.created_by as "tagCreatedBy",
      t.last_modified_date as "tagModifiedDate", t.last_modified_by as "tagModifiedBy"
    from unnest(${clipIDs as number[]}::bigint[]) with ordinality as n (clip_id, position)
    cross join lateral (select * from audio_clip_tags a where a.audio_clip_id = n.clip_id ${within} offset 0) a
    join tags t on t.key = a.tag_id
    order by n.position, a.offset_ms, a.key`;
}
