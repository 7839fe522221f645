import type { AudioClipRecording } from '@earshot/contract/audio-clip-recording';
import { soundExtensions } from '@earshot/contract/sound-file-names';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { deviceRight } from '../../../access.ts';
import { recordChanges } from '../../../platform/changes/record-changes.ts';
import { recordActs } from '../../audit/public.ts';

/*
 * What is known of a clip's recording, over the aliases c (audio_clips) and r (clip_recordings, may be missing). A row
 * without a given start was written by a title alone: the clip got its sound before there were rows.
 */

/** Names of files that the server made up, because the sender gave none. */
const ownNames = String.raw`^(recording|call|clip-[0-9]+\.[a-z0-9]+)$`;

/** The file is read only for clips whose row does not have the name. */
const filename = (db: Db): Fragment => db`
  case when r.given_start_ms is not null then r.filename
    else (select f.filename from files f where f.key = c.file_id and f.filename !~ ${ownNames}) end`;

const title = (db: Db): Fragment => db`
  coalesce(r.title, nullif(regexp_replace(${filename(db)}, ${`\\.(${soundExtensions})$`}, '', 'i'), ''))`;

/** The hash of the sound that the clip has, else of the sound that it had. Over f (files, may be missing) as well. */
export const hashOfSound = (db: Db): Fragment => db`coalesce(f.sha256_hash, encode(r.sha256, 'hex'))`;

/** Whether a person took the sound of the clip `c` away. A node of the version before may have given it some since. */
export const wasDetached = (db: Db): Fragment => db`(c.file_id is null and c.detach_date is not null)`;

/** The hash of the sound that the clip has, or that retention removed; null if a person took it away. Over f as well. */
export const presentHash = (db: Db): Fragment => db`
  case when not ${wasDetached(db)} then coalesce(decode(f.sha256_hash, 'hex'), r.sha256) end`;

/** Whether a recording of this hash arrived as the sound of the clip: it has it, had it, or a person has replaced it. */
export const isHashOfClip = (db: Db, hash: Fragment): Fragment =>
  db`(${hashOfSound(db)} = ${hash} or r.first_sha256 = decode(${hash}, 'hex'))`;

/** The title of the clip `c`, or null. */
export const titleOfClip = (db: Db): Fragment => db`(
  select ${title(db)} from (select c.key) n left join clip_recordings r on r.audio_clip_id = n.key)`;

/** Whether the title of the clip of this key contains a text. */
export const titleContains = (db: Db, key: Fragment, text: string): Fragment => db`(
  select coalesce(${title(db)} ilike ${`%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`}, false)
  from audio_clips c left join clip_recordings r on r.audio_clip_id = c.key where c.key = ${key})`;

const recordingColumns = (db: Db): Fragment => db`
  c.key as "audioClipID", ${title(db)} as title, ${filename(db)} as filename, ${hashOfSound(db)} as "sHA256Hash",
  r.given_start_ms / 1000 as "givenStartTime", r.given_start_ms % 1000 as "givenStartTimeMs",
  (select o.key from audio_clips o where o.key = r.grown_from_id and o.device_id = c.device_id) as "grownFromID", coalesce(r.sound_fault, f.sound_fault) as "soundFault"`;

export async function findRecording(db: Db, caller: Caller, clipID: number): Promise<AudioClipRecording | undefined> {
  const [row] = await db<AudioClipRecording[]>`
    select ${recordingColumns(db)} from audio_clips c join devices d on d.key = c.device_id
    left join clip_recordings r on r.audio_clip_id = c.key
    left join files f on f.key = c.file_id and f.file_status = 1
    where c.key = ${clipID} and ${deviceRight(db, caller, 'read')}`;
  return row;
}

/** False if the caller may not change the clip. */
export async function setTitle(db: Db, caller: Caller, clipID: number, text: string | null): Promise<boolean> {
  const rows = await db`
    with held as (
      select c.key, c.device_id from audio_clips c join devices d on d.key = c.device_id
      where c.key = ${clipID} and ${deviceRight(db, caller, 'write')} for no key update of c),
    changed as (
      insert into clip_recordings (audio_clip_id, device_id, title)
      select key, device_id, ${text}::text from held
      where ${text}::text is not null or exists (select 1 from clip_recordings r where r.audio_clip_id = held.key)
      on conflict (audio_clip_id) do update set title = excluded.title
        where clip_recordings.title is distinct from excluded.title
      returning audio_clip_id as key, device_id),
    logged as (${recordChanges(db, { kind: 'audioclip', change: 'changed', rows: db`changed` })}),
    told as (${recordActs(db, caller, 'clip-renamed', db`changed`)})
    select 1 from held`;
  return rows.length === 1;
}
