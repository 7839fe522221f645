import type { Db, Fragment } from '../../../platform/database/connect.ts';
import { numberArray } from '../../../platform/database/number-array.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { deviceRight } from '../../../access.ts';
import { recordChanges } from '../../../platform/changes/record-changes.ts';
import { requireValue } from '../../../platform/database/stored.ts';
import type { StoredClip } from '../queries.ts';
import type { NewRecording } from '../recording/insert-queries.ts';
import { recordSound } from '../recording/insert-queries.ts';
import { splitTimes } from '../times.ts';
import { noteLengths } from '../../device/public.ts';

/** How the caller names the device of new clips. */
export type NamedDevice = { readonly deviceID: number } | { readonly deviceSerial: string };

export const isNamed = (db: Db, device: NamedDevice): Fragment =>
  'deviceID' in device ? db`d.key = ${device.deviceID}` : db`d.device_serial = ${device.deviceSerial}`;

/** Identifies a clip within its device. */
export interface ClipIdentity {
  readonly typeID: number;
  readonly startMs: number;
  /** 0 for clips that are no radio calls. */
  readonly talkgroup: number;
}

export interface NewClip extends ClipIdentity {
  readonly endMs: number | null;
  readonly status: number;
  readonly fileID: number | null;
  readonly fileSize: number | null;
  readonly bitrate: number | null;
  readonly tagListID: number | null;
  readonly parameters: string | null;
  readonly localFilePath: string | null;
}

interface AddedClips {
  readonly deviceID: number;
  readonly userID: number;
  readonly creationDate: string;
  readonly keys: readonly number[];
  readonly typeIDs: readonly number[];
  readonly starts: readonly number[];
  readonly talkgroups: readonly number[];
}

/**
 * Inserts the clips that do not exist yet, in one statement, and returns them; returns nothing if the caller may not
 * write to the device. The rows are inserted in index order, so that concurrent senders of the same clips wait for each
 * other instead of deadlocking. A single clip with its sound may have facts of its recording. Only columns that the server sets are returned: reading back a thousand whole rows
 * would cost as much as inserting them.
 */
export async function insertClips(
  db: Db,
  caller: Caller,
  device: NamedDevice,
  clips: readonly NewClip[],
  recording?: NewRecording,
): Promise<StoredClip[]> {
  const hasSound = clips.some(({ fileID }) => fileID !== null);
  const numbers = (name: Exclude<keyof NewClip, 'parameters' | 'localFilePath'>) =>
    numberArray(clips.map((clip) => clip[name]));
  const texts = (name: 'parameters' | 'localFilePath') => clips.map((clip) => clip[name]) as string[];
  const [added] = await db<AddedClips[]>`
    with device as (
      select d.key from devices d where ${isNamed(db, device)} and ${deviceRight(db, caller, 'write')} for key share),
    added as (
      insert into audio_clips (device_id, audio_clip_type_id, start_ms, end_ms, audio_clip_status, file_id, file_size,
        bitrate, tag_list_id, audio_clip_parameters, local_file_path, talkgroup, created_by)
      select d.key, n.type_id, n.start_ms, n.end_ms, n.status, n.file_id, n.file_size, n.bitrate, n.tag_list_id,
        n.parameters, n.local_file_path, n.talkgroup, ${caller.userID}
      from device d cross join unnest(${numbers('typeID')}::bigint[], ${numbers('startMs')}::bigint[],
        ${numbers('endMs')}::bigint[], ${numbers('status')}::smallint[], ${numbers('fileID')}::bigint[],
        ${numbers('fileSize')}::bigint[], ${numbers('bitrate')}::bigint[], ${numbers('tagListID')}::bigint[],
        ${texts('parameters')}::text[], ${texts('localFilePath')}::text[], ${numbers('talkgroup')}::bigint[])
        as n (type_id, start_ms, end_ms, status, file_id, file_size, bitrate, tag_list_id, parameters, local_file_path,
          talkgroup)
      order by n.type_id, n.start_ms, n.talkgroup
      on conflict (device_id, audio_clip_type_id, start_ms, talkgroup) do nothing
      returning key, device_id, audio_clip_type_id, start_ms, talkgroup, end_ms, file_id, creation_date),
    ${hasSound ? db`recorded as (${recordSound(db, db`added`, recording)}),` : db``}
    longest as (${noteLengths(db, db`added`)}),
    logged as (${recordChanges(db, { kind: 'audioclip', change: 'created', rows: db`(select key, device_id from added order by key)` })})
    select d.key as "deviceID", d.user_id as "userID", max(c.creation_date) as "creationDate",
      json_agg(c.key) as keys, json_agg(c.audio_clip_type_id) as "typeIDs", json_agg(c.start_ms) as starts,
      json_agg(c.talkgroup) as talkgroups
    from added c join devices d on d.key = c.device_id group by d.key`;
  return added ? shownClips(added, caller, clips) : [];
}

export const placeName = ({ typeID, startMs, talkgroup }: ClipIdentity): string => `${typeID} ${startMs} ${talkgroup}`;

/** Builds the clips as the database would return them (columns.ts) from the sent values and the returned columns. */
function shownClips(added: AddedClips, caller: Caller, clips: readonly NewClip[]): StoredClip[] {
  const { deviceID, userID, creationDate } = added;
  const keys = new Map(
    added.keys.map((key, index) => {
      const typeID = requireValue(added.typeIDs[index], 'audio_clips.audio_clip_type_id of an added clip');
      const startMs = requireValue(added.starts[index], 'audio_clips.start_ms of an added clip');
      const talkgroup = requireValue(added.talkgroups[index], 'audio_clips.talkgroup of an added clip');
      return [placeName({ typeID, startMs, talkgroup }), key];
    }),
  );
  return clips.flatMap((clip) => {
    const key = keys.get(placeName(clip));
    if (key === undefined) return [];
    const shown = {
      key,
      userID,
      deviceID,
      fileID: clip.fileID,
      audioClipStatus: clip.status,
      audioClipTypeID: clip.typeID,
      audioClipParameters: clip.parameters,
      localFilePath: clip.localFilePath,
      fileSize: clip.fileSize,
      bitrate: clip.bitrate,
      ...splitTimes(clip),
      tagListID: clip.tagListID,
      creationDate,
      createdBy: caller.userID,
    };
    // Unset values are null, as in a row.
    return [shown as unknown as StoredClip];
  });
}
