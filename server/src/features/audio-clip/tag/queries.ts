import type { AudioClipTag, Tag } from '@earshot/contract/tag';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { deviceRight } from '../../../access.ts';
import { recordChanges } from '../../../platform/changes/record-changes.ts';
import { recordActs } from '../../audit/public.ts';
import type { Stored } from '../../../platform/database/stored.ts';

export type StoredTag = Stored<Tag, 'key' | 'tagName'>;
/** A tag on a clip. */
export type StoredClipTag = Stored<AudioClipTag, 'key' | 'audioClipID' | 'deviceID' | 'tagID' | 'tagName'>;

/** A tag on a clip, with the fields of the tag itself. */
export interface CarriedTag extends StoredClipTag {
  readonly tagCreationDate: string | undefined;
  readonly tagCreatedBy: number | undefined;
  readonly tagModifiedDate: string | undefined;
  readonly tagModifiedBy: number | undefined;
}

export interface Moments {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A tag of a clip as the contract shows it, over the aliases a (audio_clip_tags) and t (tags). */
const clipTagColumns = (db: Db): Fragment => db`
  a.key, a.audio_clip_id as "audioClipID", a.device_id as "deviceID", a.tag_id as "tagID",
  (a.clip_start_ms + a.offset_ms) / 1000 as timestamp, (a.clip_start_ms + a.offset_ms) % 1000 as "timestampMs",
  a.confidence, a.creation_date as "creationDate", t.tag_name as "tagName"`;

/**
 * In place of the table `tags`: who created a tag, and when, is told to this person and to admins. Tags of one name are
 * one for all people, so this would tell others that somebody uses the name, and since when.
 */
export function shownTags(db: Db, { userID, role }: Caller): Fragment {
  if (role === 'admin') return db`tags`;
  const own = (column: Fragment): Fragment => db`case when x.created_by = ${userID} then x.${column} end as ${column}`;
  return db`(
    select x.key, x.tag_name, ${own(db`creation_date`)}, ${own(db`created_by`)}, ${own(db`last_modified_date`)},
      ${own(db`last_modified_by`)}
    from tags x)`;
}

/** The tags of these clips, ordered by clip and time; if a range is given, only the tags within it. */
export async function listTagsOfClips(
  db: Db,
  caller: Caller,
  clipIDs: readonly number[],
  moments: Moments | undefined,
): Promise<CarriedTag[]> {
  const within = moments
    ? db`and a.clip_start_ms + a.offset_ms >= ${moments.fromMs} and a.clip_start_ms + a.offset_ms < ${moments.toMs}`
    : db``;
  return db<CarriedTag[]>`
    select ${clipTagColumns(db)},
      t.creation_date as "tagCreationDate", t.created_by as "tagCreatedBy", t.last_modified_date as "tagModifiedDate",
      t.last_modified_by as "tagModifiedBy"
    from unnest(${clipIDs as number[]}::bigint[]) with ordinality as n (clip_id, position)
    cross join lateral (select * from audio_clip_tags a where a.audio_clip_id = n.clip_id ${within} offset 0) a
    join ${shownTags(db, caller)} t on t.key = a.tag_id
    order by n.position, a.offset_ms, a.key`;
}

/**
 * The tags on devices that the caller may read. For each device the index is read from one tag to the next, because a
 * device may have thousands of tagged clips but few tags.
 */
export async function findTags(db: Db, caller: Caller): Promise<StoredTag[]> {
  return db<StoredTag[]>`
    select t.key, t.tag_name as "tagName", t.creation_date as "creationDate", t.created_by as "createdBy",
      t.last_modified_date as "lastModifiedDate", t.last_modified_by as "lastModifiedBy"
    from ${shownTags(db, caller)} t where t.key in (
      select carried.tag_id from devices d cross join lateral (
        with recursive carried (tag_id) as (
          (select a.tag_id from audio_clip_tags a where a.device_id = d.key order by a.tag_id limit 1)
          union all
          select (select a.tag_id from audio_clip_tags a where a.device_id = d.key and a.tag_id > carried.tag_id
            order by a.tag_id limit 1)
          from carried where carried.tag_id is not null)
        select tag_id from carried where tag_id is not null) carried
      where ${deviceRight(db, caller, 'read')})
    order by lower(t.tag_name), t.key`;
}

/** A tag by its key, if it is on a device that the caller may read: tag names may be private. */
export async function findTag(db: Db, caller: Caller, tagID: number): Promise<number | undefined> {
  const [row] = await db<{ key: number }[]>`
    select t.key from tags t where t.key = ${tagID} and exists (
      select 1 from devices d
      where (select true from audio_clip_tags a where a.device_id = d.key and a.tag_id = t.key limit 1)
        and ${deviceRight(db, caller, 'read')})`;
  return row?.key;
}

/** The tag of this name, ignoring case; created if there is none. Locked against the sweep, as by a clip that has it. */
export async function putTag(db: Db, caller: Caller | undefined, name: string): Promise<number> {
  const [known] = await db<
    { key: number }[]
  >`select key from tags where lower(tag_name) = lower(${name}) for key share`;
  if (known) return known.key;
  const [put] = await db<{ key: number }[]>`
    insert into tags as t (tag_name, created_by) values (${name}, ${caller?.userID ?? null})
    on conflict (lower(tag_name)) do update set tag_name = t.tag_name returning key`;
  if (!put) throw new Error('a tag that was put was not returned');
  return put.key;
}

/** The tags of these names, ignoring case, by their names in lower case; created if there are none. */
export async function putTags(tx: Db, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  // In a fixed order, so that concurrent inserts of the same names do not deadlock.
  const rows = await tx<{ key: number; name: string }[]>`
    with wanted as (select n.name, lower(n.name) as lower from unnest(${names as string[]}::text[]) as n (name)),
    added as (
      insert into tags (tag_name) select distinct on (lower) name from wanted order by lower
      on conflict (lower(tag_name)) do nothing returning key, tag_name)
    select key, tag_name as name from added
    union all select t.key, t.tag_name from (
      select key, tag_name from tags where lower(tag_name) in (select lower from wanted) order by key for key share) t`;
  const tags = new Map(rows.map(({ key, name }) => [name.toLowerCase(), key]));
  const missing = names.filter((name) => !tags.has(name.toLowerCase()));
  // A concurrent transaction added it, which the statement's snapshot could not see.
  for (const name of missing.toSorted()) tags.set(name.toLowerCase(), await putTag(tx, undefined, name));
  return tags;
}

export interface EngineTag {
  readonly tagID: number;
  readonly offsetMs: number;
  readonly confidence: number;
}

/** Replaces all tags that engines put on the clip; an equal tag of a person is kept, one that a rule put is replaced. */
export async function replaceEngineTags(
  tx: Db,
  clipID: number,
  origin: string,
  tags: readonly EngineTag[],
): Promise<void> {
  const gone = await tx`
    delete from audio_clip_tags where audio_clip_id = ${clipID} and origin is not null returning 1`;
  if (gone.length === 0 && tags.length === 0) return;
  await tx`
    with added as (
      insert into audio_clip_tags (audio_clip_id, device_id, tag_id, clip_start_ms, offset_ms, confidence, origin)
      select c.key, c.device_id, n.tag_id, c.start_ms, n.offset_ms, n.confidence, ${origin}
      from audio_clips c cross join unnest(${tags.map(({ tagID }) => tagID)}::bigint[],
        ${tags.map(({ offsetMs }) => offsetMs)}::bigint[], ${tags.map(({ confidence }) => confidence)}::real[])
        as n (tag_id, offset_ms, confidence)
      where c.key = ${clipID}
      on conflict (audio_clip_id, tag_id, offset_ms) do update set rule_id = null, origin = excluded.origin,
        confidence = excluded.confidence where audio_clip_tags.rule_id is not null)
    ${recordChanges(tx, {
      kind: 'audioclip',
      change: 'changed',
      rows: tx`(select key, device_id from audio_clips where key = ${clipID})`,
    })}`;
}

export interface NewClipTag {
  readonly clipID: number;
  readonly tagID: number;
  readonly offsetMs: number;
  readonly confidence: number;
}

/**
 * Puts the tag on this moment of the clip, or returns the existing one; one that a rule put is the person's from now on. The
 * caller has locked the clip.
 */
export async function putClipTag(tx: Db, caller: Caller, given: NewClipTag): Promise<StoredClipTag> {
  await tx`
    with added as (
      insert into audio_clip_tags (audio_clip_id, device_id, tag_id, clip_start_ms, offset_ms, confidence, created_by)
      select c.key, c.device_id, ${given.tagID}, c.start_ms, ${given.offsetMs}, ${given.confidence}, ${caller.userID}
      from audio_clips c where c.key = ${given.clipID}
      on conflict (audio_clip_id, tag_id, offset_ms) do update set rule_id = null, created_by = excluded.created_by,
        confidence = excluded.confidence where audio_clip_tags.rule_id is not null
      returning audio_clip_id as key, device_id),
    told as (${recordActs(tx, caller, 'clip-tagged', tx`added`)})
    ${recordChanges(tx, { kind: 'audioclip', change: 'changed', rows: tx`added` })}`;
  const [row] = await tx<StoredClipTag[]>`
    select ${clipTagColumns(tx)} from audio_clip_tags a join tags t on t.key = a.tag_id
    where a.audio_clip_id = ${given.clipID} and a.tag_id = ${given.tagID} and a.offset_ms = ${given.offsetMs}`;
  if (!row) throw new Error('a tag that was put on a clip was not returned');
  return row;
}

/** Returns whether the tag existed and the caller was allowed to remove it. */
export async function removeClipTag(db: Db, caller: Caller, clipID: number, clipTagID: number): Promise<boolean> {
  const rows = await db`
    with gone as (
      delete from audio_clip_tags a using devices d
      where d.key = a.device_id and a.key = ${clipTagID} and a.audio_clip_id = ${clipID}
        and ${deviceRight(db, caller, 'write')}
      returning a.audio_clip_id as key, a.device_id),
    told as (${recordActs(db, caller, 'clip-untagged', db`gone`)})
    ${recordChanges(db, { kind: 'audioclip', change: 'changed', rows: db`gone` })} returning 1`;
  return rows.length === 1;
}
