import type { AudioClipVersion } from '@earshot/contract/audio-clip-version';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { deviceRight } from '../../../access.ts';
import { recordChanges } from '../../../platform/changes/record-changes.ts';
import { recordActs } from '../../audit/public.ts';
import type { StoredFile } from '../../file/public.ts';
import { storedFileColumns } from '../../file/public.ts';

export async function findVersions(db: Db, clipID: number): Promise<AudioClipVersion[]> {
  return db<AudioClipVersion[]>`
    select v.key, v.audio_clip_id as "audioClipID", encode(v.sha256, 'hex') as "sHA256Hash", f.file_size as "fileSize",
      f.content_type as "contentType", f.duration_ms as "durationMs", v.start_ms / 1000 as "startTime",
      v.start_ms % 1000 as "startTimeMs", v.end_ms / 1000 as "endTime", v.end_ms % 1000 as "endTimeMs",
      (select t.transcript from caption_versions t where t.audio_clip_id = v.audio_clip_id and t.file_id = v.file_id
        order by t.version desc limit 1) as transcript,
      v.former_date as "formerDate", v.replaced_by as "replacedBy"
    from clip_versions v join files f on f.key = v.file_id
    where v.audio_clip_id = ${clipID} order by v.key desc`;
}

/** The file of a version; undefined if the clip has no such version. */
export async function findFileOfVersion(db: Db, clipID: number, versionID: number): Promise<StoredFile | undefined> {
  const [row] = await db<StoredFile[]>`
    select ${storedFileColumns(db)}
    from clip_versions v join files f on f.key = v.file_id left join devices o on o.key = f.device_id
    where v.key = ${versionID} and v.audio_clip_id = ${clipID}`;
  return row;
}

interface HeldVersion {
  readonly clipID: number;
  readonly isLocked: boolean;
  /** Whether the caller owns the clip. */
  readonly isOwn: boolean;
}

/**
 * Removes all versions with this file and returns their clips; none if one of the clips is locked or not the caller's own. Locks the clips, before
 * the file (docs/decisions/0020).
 */
export async function removeVersionsOfFile(tx: Db, caller: Caller, fileID: number): Promise<readonly HeldVersion[]> {
  return tx<HeldVersion[]>`
    with held as (
      select c.key, c.lock_date, ${deviceRight(tx, caller, 'own')} as is_own
      from audio_clips c join devices d on d.key = c.device_id
      where c.key in (select v.audio_clip_id from clip_versions v where v.file_id = ${fileID})
      order by c.key for no key update of c),
    gone as (
      delete from clip_versions v where v.file_id = ${fileID} and v.audio_clip_id in (select key from held)
        and not exists (select 1 from held where lock_date is not null or not is_own)
      returning v.audio_clip_id as key, v.device_id, v.sha256),
    ${tellRemoval(tx, caller)}
    select key as "clipID", lock_date is not null as "isLocked", is_own as "isOwn" from held`;
}

/** Parts of a statement that has removed the versions `gone`. */
const tellRemoval = (tx: Db, caller: Caller): Fragment => tx`
  told as (${recordActs(tx, caller, 'version-removed', tx`gone`, { before: tx`r.sha256`, after: tx`null::bytea` })}),
  logged as (${recordChanges(tx, { kind: 'audioclip', change: 'changed', rows: tx`(select * from gone order by key)` })})`;

/** Returns the key of its file; undefined if the clip has no such version. */
export async function removeVersion(
  tx: Db,
  caller: Caller,
  clipID: number,
  versionID: number,
): Promise<number | undefined> {
  const [row] = await tx<{ fileID: number }[]>`
    with gone as (
      delete from clip_versions where key = ${versionID} and audio_clip_id = ${clipID}
      returning audio_clip_id as key, device_id, file_id, sha256),
    ${tellRemoval(tx, caller)}
    select file_id as "fileID" from gone`;
  return row?.fileID;
}
