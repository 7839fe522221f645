import type { ClipResult } from '@earshot/contract/upload';
import { uploadLifetimeSeconds } from '@earshot/contract/upload';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';

/*
 * The states of an upload:
 *
 *   open (a file waits for bytes) ──all bytes, clip stored──▶ finished (audio_clip_id)
 *     └──a day passes, or the file is removed──▶ gone (no file)
 *
 * The sweep of files removes the bytes of uploads that were not finished within a day, as of all files.
 */

export interface Upload {
  readonly key: number;
  readonly deviceID: number;
  /** In whose turn the sound is analysed. */
  readonly ownerID: number;
  /** Null if the upload is finished or gone. */
  readonly fileID: number | null;
  readonly storageName: string | null;
  readonly filename: string | null;
  readonly size: number;
  readonly metadata: string;
  readonly startMs: number | null;
  readonly lastModifiedMs: number | null;
  readonly sha256: string | null;
  readonly audioClipID: number | null;
  /** Null also if a node of an earlier version finished the upload. */
  readonly clipResult: ClipResult | null;
  readonly creationDate: Date;
  readonly expirationDate: Date;
  readonly isExpired: boolean;
  readonly isWritable: boolean;
}

/** Undefined if the caller may not read its device. */
export async function findUpload(db: Db, caller: Caller, uploadID: number): Promise<Upload | undefined> {
  const expires = db`u.creation_date + make_interval(secs => ${uploadLifetimeSeconds})`;
  const [row] = await db<Upload[]>`
    select u.key, u.device_id as "deviceID", d.user_id as "ownerID", u.file_id as "fileID",
      f.storage_name as "storageName", f.filename, u.upload_size as size, u.metadata, u.start_ms as "startMs",
      u.last_modified_ms as "lastModifiedMs", u.sha256_hash as sha256, u.audio_clip_id as "audioClipID",
      u.clip_result as "clipResult",
      u.creation_date as "creationDate", ${expires} as "expirationDate", ${expires} <= now() as "isExpired",
      ${deviceRight(db, caller, 'write')} as "isWritable"
    from uploads u join devices d on d.key = u.device_id left join files f on f.key = u.file_id
    where u.key = ${uploadID} and ${deviceRight(db, caller, 'read')}`;
  return row;
}

export interface OpenUploads {
  readonly count: number;
  readonly bytes: number;
}

/** The open uploads of a person. Locks the person first (docs/decisions/0020). */
export async function countOpenUploads(tx: Db, userID: number): Promise<OpenUploads> {
  await tx`select 1 from users where key = ${userID} for key share`;
  const [row] = await tx<OpenUploads[]>`
    select count(*)::int as count, coalesce(sum(upload_size), 0)::float8 as bytes
    from uploads where user_id = ${userID} and audio_clip_id is null`;
  return row ?? { count: 0, bytes: 0 };
}

export interface NewUpload {
  readonly userID: number;
  readonly deviceID: number;
  readonly fileID: number;
  readonly size: number;
  readonly metadata: string;
  readonly startMs: number | undefined;
  readonly lastModifiedMs: number | undefined;
  readonly sha256: string | undefined;
}

export async function insertUpload(tx: Db, upload: NewUpload): Promise<number> {
  const [row] = await tx<{ key: number }[]>`
    insert into uploads (user_id, device_id, file_id, upload_size, metadata, start_ms, last_modified_ms, sha256_hash)
    values (${upload.userID}, ${upload.deviceID}, ${upload.fileID}, ${upload.size}, ${upload.metadata},
      ${upload.startMs ?? null}, ${upload.lastModifiedMs ?? null}, ${upload.sha256 ?? null})
    returning key`;
  if (!row) throw new Error('an upload was not added');
  return row.key;
}

/** Whether the upload was ended, or its file was removed, before it was finished. */
export async function isUploadGone(db: Db, uploadID: number): Promise<boolean> {
  const rows = await db`
    select 1 from uploads where key = ${uploadID} and (file_id is not null or audio_clip_id is not null)`;
  return rows.length === 0;
}

/** The clip of a finished upload. */
export type FinishedClip = Pick<Upload, 'audioClipID' | 'clipResult'>;

/**
 * The file, which the clip has by now, no longer belongs to the upload. If two requests finish it, the second finds the
 * clip that the first one created: the first result stays.
 */
export async function markFinished(
  tx: Db,
  uploadID: number,
  audioClipID: number,
  result: ClipResult,
): Promise<ClipResult> {
  const [row] = await tx<{ clipResult: ClipResult }[]>`
    update uploads set audio_clip_id = ${audioClipID}, file_id = null, clip_result = coalesce(clip_result, ${result})
    where key = ${uploadID}
    returning clip_result as "clipResult"`;
  return row?.clipResult ?? result;
}

export const notFinished: FinishedClip = { audioClipID: null, clipResult: null };

/** Returns the clip that the upload had become. */
export async function removeUpload(tx: Db, uploadID: number): Promise<FinishedClip> {
  const [row] = await tx<FinishedClip[]>`
    delete from uploads where key = ${uploadID}
    returning audio_clip_id as "audioClipID", clip_result as "clipResult"`;
  return row ?? notFinished;
}

/** An upload expires after a day. It is kept longer, so that a client learns that it has expired. */
export async function sweepUploads(db: Db, keptDays: number, most: number): Promise<number> {
  const rows = await db`
    delete from uploads where key in (
      select key from uploads where creation_date < now() - make_interval(days => ${keptDays})
      order by creation_date limit ${most} for update skip locked)
    returning 1`;
  return rows.length;
}

/**
 * The metadata of an upload contain the name of its recording, so the record is removed when its clip is. Checks some
 * records after the given one in each call. Returns where the next call continues.
 */
export async function removeUploadsWithoutClip(db: Db, afterKey: number, most: number): Promise<number> {
  const [row] = await db<{ count: number; last: number }[]>`
    with checked as (
      select key, audio_clip_id from uploads
      where key > ${afterKey} and audio_clip_id is not null order by key limit ${most}),
    gone as (
      delete from uploads where key = any(array(
        select o.key from checked o
        where (select true from audio_clips c where c.key = o.audio_clip_id limit 1) is null)))
    select count(*)::int as count, coalesce(max(key), 0) as last from checked`;
  return row?.count === most ? row.last : 0;
}

export const moveUploadsOfDevice = (tx: Db, deviceID: number, intoID: number): Promise<unknown> =>
  tx`update uploads set device_id = ${intoID} where device_id = ${deviceID}`;

/** The advisory lock of uploads that are being finished. An arbitrary constant. */
const startLock = 27_001;

/** Uploads of one device and start are finished one after the other, so that the same recording becomes one clip. */
export const lockStart = (tx: Db, deviceID: number, startMs: number): Promise<unknown> =>
  tx`select pg_advisory_xact_lock(${startLock}::int, hashtext(${`${deviceID} ${startMs}`}))`;

/** Whether the clip exists and is one of another device. */
export async function isClipOfOther(db: Db, clipID: number, deviceID: number): Promise<boolean> {
  const rows = await db`select 1 from audio_clips where key = ${clipID} and device_id <> ${deviceID}`;
  return rows.length === 1;
}

/** Whether the file was kept, because a clip got it. */
export async function fileExists(db: Db, fileID: number | null): Promise<boolean> {
  const rows = await db`select 1 from files where key = ${fileID}`;
  return rows.length > 0;
}
