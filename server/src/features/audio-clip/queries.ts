import type { AudioClip } from '@earshot/contract/audio-clip';
import type { Right } from '@earshot/contract/operation';
import { changedColumns } from '../../platform/database/changed-columns.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../access/rules.ts';
import { moveSaid } from '../caption-index/rules.ts';
import { recordChanges } from '../../platform/changes/record-changes.ts';
import { clipColumns } from './columns.ts';
import { noteLengths } from './lengths.ts';

export async function findClip(db: Db, caller: Caller, right: Right, clipID: number): Promise<AudioClip | undefined> {
  const [row] = await db<AudioClip[]>`
    select ${clipColumns(db)} from audio_clips c join devices d on d.key = c.device_id
    where c.key = ${clipID} and ${deviceRight(db, caller, right)}`;
  return row;
}

/** For the live stream, which checks separately what each listener may read. */
export async function findClipsByKey(db: Db, keys: readonly number[]): Promise<AudioClip[]> {
  return db<AudioClip[]>`
    select ${clipColumns(db)} from audio_clips c join devices d on d.key = c.device_id
    where c.key = any(${keys as number[]}::bigint[])`;
}

/** Locks the clip's device and then the clip until the transaction ends: new events and lengths lock the device too. */
export async function lockClip(tx: Db, caller: Caller, clipID: number): Promise<AudioClip | undefined> {
  const [row] = await tx<AudioClip[]>`
    select ${clipColumns(tx)} from audio_clips c join devices d on d.key = c.device_id
    where c.key = ${clipID} and ${deviceRight(tx, caller, 'write')}
    for key share of d for no key update of c`;
  return row;
}

/** The changes of a clip: undefined keeps the value, null clears it. */
export interface ClipChanges {
  readonly startMs?: number | undefined;
  readonly endMs?: number | null | undefined;
  readonly typeID?: number | undefined;
  readonly status?: number | undefined;
  readonly fileID?: number | null | undefined;
  readonly fileSize?: number | null | undefined;
  readonly bitrate?: number | null | undefined;
  readonly tagListID?: number | null | undefined;
  readonly parameters?: string | null | undefined;
  readonly localFilePath?: string | null | undefined;
}

export async function changeClip(
  db: Db,
  caller: Caller,
  clipID: number,
  changes: ClipChanges,
): Promise<AudioClip | undefined> {
  const isMoved = changes.startMs !== undefined;
  const [row] = await db<AudioClip[]>`
    with changed as (
      update audio_clips set last_modified_date = now(), last_modified_by = ${caller.userID} ${changedColumns(db, {
        start_ms: changes.startMs,
        end_ms: changes.endMs,
        audio_clip_type_id: changes.typeID,
        audio_clip_status: changes.status,
        file_id: changes.fileID,
        file_size: changes.fileSize,
        bitrate: changes.bitrate,
        tag_list_id: changes.tagListID,
        audio_clip_parameters: changes.parameters,
        local_file_path: changes.localFilePath,
      })} where key = ${clipID} returning *),
    ${
      isMoved
        ? db`moved as (
            update audio_clip_tags t set clip_start_ms = changed.start_ms from changed
            where t.audio_clip_id = changed.key),
          said as (${moveSaid(db, db`changed`)}),`
        : db``
    }
    ${isMoved || changes.endMs !== undefined ? db`longest as (${noteLengths(db, db`changed`)}),` : db``}
    logged as (${recordChanges(db, { kind: 'audioclip', change: 'changed', rows: db`changed` })})
    select ${clipColumns(db)} from changed c join devices d on d.key = c.device_id`;
  return row;
}

/** Returns the file that the clip had, or undefined if there was no such clip. */
export async function removeClip(
  tx: Db,
  caller: Caller,
  clipID: number,
): Promise<{ fileID: number | null } | undefined> {
  const [row] = await tx<{ fileID: number | null }[]>`
    with gone as (
      delete from audio_clips c using devices d
      where d.key = c.device_id and c.key = ${clipID} and ${deviceRight(tx, caller, 'write')}
      returning c.key, c.device_id, c.file_id),
    logged as (${recordChanges(tx, { kind: 'audioclip', change: 'removed', rows: tx`gone` })})
    select file_id as "fileID" from gone`;
  return row;
}
