import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { changedColumns } from '../../platform/database/changed-columns.ts';
import { recordChanges } from '../../platform/changes/record-changes.ts';
import { moveIndexed } from '../caption-index/public.ts';
import { noteLengths } from '../device/public.ts';
import type { RecordChange } from './version/keep-queries.ts';
import { formerHash, keepRecord } from './version/keep-queries.ts';
import type { NewRecording } from './recording/insert-queries.ts';
import { recordSound } from './recording/insert-queries.ts';
import type { StoredClip } from './queries.ts';
import { clipColumns } from './queries.ts';

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
  /** With `fileID`: what is known of the new sound; missing: what its file tells. */
  readonly recording?: NewRecording | undefined;
}

const detachDate = ({ fileID }: ClipChanges): Date | null | undefined =>
  fileID === undefined ? undefined : fileID === null ? new Date() : null;

/** Changes a clip that this transaction has locked. */
export async function changeClip(
  db: Db,
  caller: Caller,
  clipID: number,
  changes: ClipChanges,
  record: RecordChange,
): Promise<StoredClip | undefined> {
  const isMoved = changes.startMs !== undefined;
  const [row] = await db<StoredClip[]>`
    with ${keepRecord(db, caller, clipID, record, changes.fileID)}
    changed as (
      update audio_clips set last_modified_date = now(), last_modified_by = ${caller.userID} ${changedColumns(db, {
        start_ms: changes.startMs,
        end_ms: changes.endMs,
        audio_clip_type_id: changes.typeID,
        audio_clip_status: changes.status,
        file_id: changes.fileID,
        detach_date: detachDate(changes),
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
          called as (
            update radio_calls r set clip_start_ms = changed.start_ms from changed
            where r.audio_clip_id = changed.key),
          said as (${moveIndexed(db, db`changed`)}),`
        : db``
    }
    ${
      typeof changes.fileID === 'number'
        ? db`recorded as (${recordSound(db, db`changed`, changes.recording, formerHash(db, record))}),`
        : db``
    }
    ${isMoved || changes.endMs !== undefined ? db`longest as (${noteLengths(db, db`changed`)}),` : db``}
    logged as (${recordChanges(db, { kind: 'audioclip', change: 'changed', rows: db`changed` })})
    select ${clipColumns(db)} from changed c join devices d on d.key = c.device_id`;
  return row;
}
