import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { callOfClip } from '../radio/queries.ts';
import { shownTags } from '../tag/queries.ts';

/** Further columns of a list row, over the aliases c and d. */
export type MoreColumns = (db: Db, caller: Caller) => Fragment;

/** The device's name and the names of the clip's tags, without duplicates. */
export const clipNames: MoreColumns = (db, caller) => db`,
  d.device_name as "deviceName", (
    select coalesce(json_agg(json_strip_nulls(json_build_object('key', t.key, 'tagName', t.tag_name,
      'creationDate', ${utcText(db, db`t.creation_date`)}, 'createdBy', t.created_by,
      'lastModifiedDate', ${utcText(db, db`t.last_modified_date`)}, 'lastModifiedBy', t.last_modified_by))
      order by t.key), '[]')
    from (select distinct a.tag_id from audio_clip_tags a where a.audio_clip_id = c.key) a
    cross join lateral (select * from ${shownTags(db, caller)} t where t.key = a.tag_id limit 1) t) as "tagList"`;

/** The names, and what a radio recorder told about the clip. */
export const clipNamesAndCall: MoreColumns = (db, caller) =>
  db`${clipNames(db, caller)}, ${callOfClip(db)} as "radioCall"`;

const utcText = (db: Db, date: Fragment): Fragment =>
  db`to_char(${date} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
