import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { forbidden, invalidField, notFound } from '../../errors.ts';
import { deviceRight, explainDenial } from '../../access.ts';
import type { Right } from '@earshot/contract/operation';
import type { AudioClip } from '@earshot/contract/audio-clip';
import { changedColumns } from '../../platform/database/changed-columns.ts';
import { recordChanges } from '../../platform/changes/record-changes.ts';
import type { ClipTimes, GivenTimes } from './times.ts';
import { latestMs, longestClipMs, toleranceMs, wholeSeconds } from './times.ts';
import { longestClipSeconds } from '@earshot/contract/audio-clip';
import { moveIndexed } from '../caption-index/public.ts';
import { noteLengths } from '../device/public.ts';
import type { NewLabel } from './tag/rules.ts';
import { tagNameLength } from '@earshot/contract/tag';
import { putTags, replaceEngineTags } from './tag/queries.ts';
import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import { useFiles } from '../file/public.ts';
import { insertClips } from './announce/insert-queries.ts';
import type { NewRecording } from './recording/insert-queries.ts';
import { recordSound } from './recording/insert-queries.ts';
import { callOfClip } from './radio/queries.ts';

export type { CallIdentity, NewCall } from './radio/queries.ts';
export { findCallsNear, insertCall } from './radio/queries.ts';
export type { NewRecording } from './recording/insert-queries.ts';
export type { NearbyClip } from './recording/near-queries.ts';
export { findClipsNear } from './recording/near-queries.ts';
export { hashOfSound, titleOfClip } from './recording/queries.ts';

/** The clip, if the caller has the right to it. Throws 404 if the caller may not read it, 403 if only read it. */
export async function requireClip(db: Db, caller: Caller, right: Right, clipID: number): Promise<AudioClip> {
  const clip = await findClip(db, caller, right, clipID);
  return clip ?? refuseClipChange(db, caller, clipID);
}

/** Throws when a change found no clip: 403 if the caller may read the clip, 404 if not. */
export async function refuseClipChange(db: Db, caller: Caller, clipID: number): Promise<never> {
  if (!(await findClip(db, caller, 'read', clipID))) throw notFound('audio clip', clipID);
  throw forbidden(explainDenial('device', 'write'));
}

/** A clip as the contract shows it, over the aliases c (audio_clips) and d (devices). */
export const clipColumns = (db: Db): Fragment => db`
  c.key, d.user_id as "userID", c.device_id as "deviceID", c.file_id as "fileID",
  c.audio_clip_status as "audioClipStatus", c.audio_clip_type_id as "audioClipTypeID",
  c.audio_clip_parameters as "audioClipParameters", c.local_file_path as "localFilePath", c.file_size as "fileSize",
  c.bitrate, c.start_ms / 1000 as "startTime", c.start_ms % 1000 as "startTimeMs",
  c.end_ms / 1000 as "endTime", c.end_ms % 1000 as "endTimeMs",
  (c.end_ms - c.start_ms + 500) / 1000 as "clipLengthInSeconds", c.tag_list_id as "tagListID",
  c.creation_date as "creationDate", c.created_by as "createdBy", c.last_modified_date as "lastModifiedDate",
  c.last_modified_by as "lastModifiedBy"`;

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
  /** With `fileID`: what is known of the new sound; missing: what its file tells. */
  readonly recording?: NewRecording | undefined;
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
          called as (
            update radio_calls r set clip_start_ms = changed.start_ms from changed
            where r.audio_clip_id = changed.key),
          said as (${moveIndexed(db, db`changed`)}),`
        : db``
    }
    ${typeof changes.fileID === 'number' ? db`recorded as (${recordSound(db, db`changed`, changes.recording)}),` : db``}
    ${isMoved || changes.endMs !== undefined ? db`longest as (${noteLengths(db, db`changed`)}),` : db``}
    logged as (${recordChanges(db, { kind: 'audioclip', change: 'changed', rows: db`changed` })})
    select ${clipColumns(db)} from changed c join devices d on d.key = c.device_id`;
  return row;
}

/** Why sound of this length cannot be a clip's; undefined if it can. */
export function faultOfLength(soundMs: number): string | undefined {
  if (soundMs <= longestClipMs + toleranceMs) return undefined;
  const seconds = wholeSeconds(soundMs);
  const length = `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} min ${seconds % 60} s`;
  return `${length} long, and a clip is at most ${longestClipSeconds / 3600} hours; send it in parts`;
}

/** The end of a clip by the length of its sound, limited to a day and to the latest time that the API can express. */
export const endOfSound = (startMs: number, soundMs: number): number =>
  Math.min(startMs + Math.min(Math.round(soundMs), longestClipMs), latestMs);

/** The times of a clip as the API shows them. */
export function timesShown(clip: GivenTimes): ClipTimes {
  const { startTime = 0, startTimeMs, endTime, endTimeMs } = clip;
  const endMs = typeof endTime === 'number' ? endTime * 1000 + (endTimeMs ?? 0) : null;
  return { startMs: startTime * 1000 + (startTimeMs ?? 0), endMs };
}

/** A range of epochs, half-open, in milliseconds. */
export function readRange({ startEpoch, endEpoch }: { startEpoch?: number; endEpoch?: number }): Range {
  if (startEpoch !== undefined && endEpoch !== undefined && endEpoch < startEpoch) {
    throw invalidField('endEpoch', 'must not be before startEpoch');
  }
  return {
    fromMs: startEpoch === undefined ? undefined : startEpoch * 1000,
    toMs: endEpoch === undefined ? undefined : endEpoch * 1000,
  };
}

/** An empty list is no condition. */
export const readList = (ids: readonly number[] | undefined) => (ids && ids.length > 0 ? [...new Set(ids)] : undefined);

/** The device's name and the names of the clip's tags, without duplicates. */
export const clipNames: MoreColumns = (db) => db`,
  d.device_name as "deviceName", (
    select coalesce(json_agg(json_strip_nulls(json_build_object('key', t.key, 'tagName', t.tag_name,
      'creationDate', ${utcText(db, db`t.creation_date`)}, 'createdBy', t.created_by,
      'lastModifiedDate', ${utcText(db, db`t.last_modified_date`)}, 'lastModifiedBy', t.last_modified_by))
      order by t.key), '[]')
    from (select distinct a.tag_id from audio_clip_tags a where a.audio_clip_id = c.key) a
    cross join lateral (select * from tags t where t.key = a.tag_id limit 1) t) as "tagList"`;

/** The names, and what a radio recorder told about the clip. */
export const clipNamesAndCall: MoreColumns = (db) => db`${clipNames(db)}, ${callOfClip(db)} as "radioCall"`;

export interface Range {
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

/** Further columns of a list row, over the aliases c and d. */
export type MoreColumns = (db: Db) => Fragment;

export async function findClip(db: Db, caller: Caller, right: Right, clipID: number): Promise<AudioClip | undefined> {
  const [row] = await db<AudioClip[]>`
    select ${clipColumns(db)} from audio_clips c join devices d on d.key = c.device_id
    where c.key = ${clipID} and ${deviceRight(db, caller, right)}`;
  return row;
}

export const utcText = (db: Db, date: Fragment): Fragment =>
  db`to_char(${date} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Enqueues the captioning of clips that got their sound in this transaction. Returns the devices that have new work, to be
 * woken after the commit. Provided by the captions, which depend on clips.
 */
export type OrderCaptions = (tx: Db, caller: Caller, clipIDs: readonly number[]) => Promise<readonly number[]>;

/** Replaces the labels of engines on a clip; tags of people are kept. The caller has locked the clip. */
export async function replaceLabels(
  tx: Db,
  clipID: number,
  origin: string,
  labels: readonly NewLabel[],
): Promise<void> {
  const named = labels.flatMap((label) => {
    const name = label.name.trim().slice(0, tagNameLength).trim();
    return name === '' ? [] : [{ ...label, name }];
  });
  const tags =
    named.length > 0 ? await putTags(tx, [...new Set(named.map(({ name }) => name))]) : new Map<string, number>();
  await replaceEngineTags(
    tx,
    clipID,
    origin,
    named.map(({ name, startMs, confidence }) => ({
      tagID: tags.get(name.toLowerCase()) ?? 0,
      offsetMs: Math.max(0, Math.round(startMs)),
      confidence,
    })),
  );
}

/** The sound of a new clip, stored and analysed. */
export interface StoredSound {
  readonly fileID: number;
  readonly fileSize: number;
  readonly durationMs: number;
  readonly bitrate: number;
  /** Missing: what the clip and its file tell. */
  readonly recording?: NewRecording | undefined;
}

/** Radio calls and uploaded recordings are clips without a special type. */
const callTypeID = 0;

/** Where a clip without a special type is: two clips never have the same place. */
export interface ClipPlace {
  readonly deviceID: number;
  readonly startMs: number;
  /** 0 for clips that are no radio calls. */
  readonly talkgroup: number;
}

/**
 * Adds a clip with its sound. Returns its key, or undefined if the place is taken or the caller may not write to the
 * device. Locks the device, the clip and then the file (docs/decisions/0020).
 */
export async function addClipWithSound(
  tx: Db,
  caller: Caller,
  { deviceID, startMs, talkgroup }: ClipPlace,
  sound: StoredSound,
): Promise<number | undefined> {
  const clip = {
    typeID: callTypeID,
    startMs,
    talkgroup,
    endMs: endOfSound(startMs, sound.durationMs),
    status: audioClipStatus.available,
    fileID: sound.fileID,
    fileSize: sound.fileSize,
    bitrate: Math.round(sound.bitrate),
    tagListID: null,
    parameters: null,
    localFilePath: null,
  };
  const [added] = await useFiles(tx, [sound.fileID], () =>
    insertClips(tx, caller, { deviceID }, [clip], sound.recording),
  );
  return added?.key;
}
