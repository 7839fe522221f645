import type { AudioClip } from '@earshot/contract/audio-clip';
import { conflict } from '../../errors.ts';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';
import { recordChanges } from '../../platform/changes/record-changes.ts';
import { recordActs } from '../audit/public.ts';
import { presentHash, wasDetached } from './recording/queries.ts';
import type { Stored } from '../../platform/database/stored.ts';
import type { Right } from '@earshot/contract/operation';

/** A clip as its table has it. */
export type StoredClip = Stored<
  AudioClip,
  'key' | 'userID' | 'deviceID' | 'audioClipStatus' | 'audioClipTypeID' | 'startTime' | 'startTimeMs' | 'creationDate'
>;

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

/** For the live stream, which checks separately what each listener may read. */
export async function findClipsByKey(db: Db, keys: readonly number[]): Promise<StoredClip[]> {
  return db<StoredClip[]>`
    select ${clipColumns(db)} from audio_clips c join devices d on d.key = c.device_id
    where c.key = any(${keys as number[]}::bigint[])`;
}

/** A clip that was removed, or that is locked and was not. */
export interface RemovedClip {
  readonly isLocked: boolean;
  readonly deviceID: number;
  /** Of its sound and of its versions. */
  readonly fileIDs: readonly number[];
}

/** The versions of the clips that a condition on `v` chooses, with their hashes, as rows for the audit trail. */
const versionsOf = (db: Db, condition: Fragment): Fragment => db`
  (select v.audio_clip_id as key, v.device_id, v.sha256 from clip_versions v where ${condition} order by v.key)`;

const removedHash = (db: Db) => ({ before: db`r.sha256`, after: db`null::bytea` });

/**
 * Undefined if there was no such clip. A locked clip stays. The audit trail gets the hash of its sound, and an entry with the
 * hash of each version.
 */
export async function removeClip(tx: Db, caller: Caller, clipID: number): Promise<RemovedClip | undefined> {
  const [row] = await tx<RemovedClip[]>`
    with held as (
      select c.key, c.device_id, c.file_id, c.lock_date is not null as is_locked
      from audio_clips c join devices d on d.key = c.device_id
      where c.key = ${clipID} and ${deviceRight(tx, caller, 'write')} for update of c),
    gone as (
      delete from audio_clips c using held where c.key = held.key and not held.is_locked
      returning c.key, c.device_id, c.file_id, c.detach_date),
    hashed as (
      select c.key, c.device_id, ${presentHash(tx)} as sha256
      from gone c left join files f on f.key = c.file_id left join clip_recordings r on r.audio_clip_id = c.key),
    told as (${recordActs(tx, caller, 'clip-removed', tx`hashed`, removedHash(tx))}),
    former as (${recordActs(
      tx,
      caller,
      'version-removed',
      versionsOf(tx, tx`v.audio_clip_id in (select key from gone)`),
      removedHash(tx),
    )}),
    logged as (${recordChanges(tx, { kind: 'audioclip', change: 'removed', rows: tx`gone` })})
    select device_id as "deviceID", is_locked as "isLocked", array_remove(
      array(select v.file_id from clip_versions v where v.audio_clip_id = held.key) || held.file_id, null) as "fileIDs"
    from held`;
  return row;
}

/** Returns how many of them people have locked against changes. */
export async function lockClipsOfDevice(tx: Db, deviceID: number): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    with held as (select lock_date from audio_clips where device_id = ${deviceID} order by key for update)
    select count(lock_date)::int as count from held`;
  return row?.count ?? 0;
}

/** Before their files, which an available clip cannot be without. The audit trail gets the hashes of their versions. */
export const removeClipsOfDevice = (tx: Db, deviceID: number, caller: Caller): Promise<unknown> => tx`
  with former as (${recordActs(tx, caller, 'version-removed', versionsOf(tx, tx`v.device_id = ${deviceID}`), removedHash(tx))})
  delete from audio_clips where device_id = ${deviceID}`;

/** Refused if the other device has a clip of the same identity. */
export async function moveClipsOfDevice(tx: Db, deviceID: number, intoID: number): Promise<void> {
  const [same] = await tx<{ count: number }[]>`
    select count(*)::int as count from audio_clips c join audio_clips o on o.device_id = ${intoID}
      and o.audio_clip_type_id = c.audio_clip_type_id and o.start_ms = c.start_ms and o.talkgroup = c.talkgroup
    where c.device_id = ${deviceID}`;
  if (same && same.count > 0) {
    throw conflict(
      `Both devices have ${same.count} clips of the same type, start and talkgroup. Remove one of each first.`,
    );
  }
  await tx`update audio_clips set device_id = ${intoID} where device_id = ${deviceID}`;
  await tx`update clip_versions set device_id = ${intoID} where device_id = ${deviceID}`;
  await tx`update clip_recordings set device_id = ${intoID} where device_id = ${deviceID}`;
  await tx`update audio_clip_tags set device_id = ${intoID} where device_id = ${deviceID}`;
  await tx`
    update radio_calls set device_id = ${intoID}
    where audio_clip_id in (select key from audio_clips where device_id = ${intoID}) and device_id = ${deviceID}`;
}

/** A clip whose row this transaction has locked, with what the API does not show of it. */
export interface HeldClip {
  readonly clip: StoredClip;
  /** Whether a person has locked it against changes. */
  readonly isLocked: boolean;
  /** Whether a person took its sound away. */
  readonly isDetached: boolean;
  /** The hash of the last sound that was recorded for it; null if it never had any, or its file had none. */
  readonly rememberedHash: string | null;
  /** The hash of the sound that arrived first, if a person has replaced it since. */
  readonly firstHash: string | null;
}

/** Locks the clip's device and then the clip until the transaction ends: new events and lengths lock the device too. */
export async function holdClip(tx: Db, caller: Caller, clipID: number): Promise<HeldClip | undefined> {
  const [row] = await tx<(StoredClip & Omit<HeldClip, 'clip'>)[]>`
    select ${clipColumns(tx)}, c.lock_date is not null as "isLocked", ${wasDetached(tx)} as "isDetached",
      (select encode(r.sha256, 'hex') from clip_recordings r where r.audio_clip_id = c.key) as "rememberedHash",
      (select encode(r.first_sha256, 'hex') from clip_recordings r where r.audio_clip_id = c.key) as "firstHash"
    from audio_clips c join devices d on d.key = c.device_id
    where c.key = ${clipID} and ${deviceRight(tx, caller, 'write')}
    for key share of d for no key update of c`;
  if (!row) return undefined;
  const { isLocked, isDetached, rememberedHash, firstHash, ...clip } = row;
  return { clip, isLocked, isDetached, rememberedHash, firstHash };
}

export const lockClip = async (tx: Db, caller: Caller, clipID: number): Promise<StoredClip | undefined> =>
  (await holdClip(tx, caller, clipID))?.clip;

export async function findClip(db: Db, caller: Caller, right: Right, clipID: number): Promise<StoredClip | undefined> {
  const [row] = await db<StoredClip[]>`
    select ${clipColumns(db)} from audio_clips c join devices d on d.key = c.device_id
    where c.key = ${clipID} and ${deviceRight(db, caller, right)}`;
  return row;
}
