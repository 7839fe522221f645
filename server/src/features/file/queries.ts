import { randomUUID } from 'node:crypto';
import type { File } from '@earshot/contract/file';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { fileOwner, fileRight, isFileShared } from '../../access.ts';
import type { Stored } from '../../platform/database/stored.ts';
import { recordChanges } from '../../platform/changes/record-changes.ts';
import { noteRemoved } from './sweep-queries.ts';

/** A file as its table has it, for those who may read it. */
export type FileRecord = Stored<
  File,
  'key' | 'userID' | 'filename' | 'fileSize' | 'contentType' | 'fileStatus' | 'creationDate'
>;

export const fileColumns = (db: Db): Fragment => db`
  f.key, ${fileOwner(db)} as "userID", f.device_id as "deviceID", f.filename, f.file_size as "fileSize",
  f.sha256_hash as "sHA256Hash", f.content_type as "contentType", f.file_status as "fileStatus",
  f.creation_date as "creationDate"`;

export async function findFile(db: Db, caller: Caller, fileID: number): Promise<FileRecord | undefined> {
  const [row] = await db<FileRecord[]>`
    select ${fileColumns(db)} from files f where f.key = ${fileID} and ${fileRight(db, caller, 'read')}`;
  return row;
}

export interface NewFile {
  /** Unset for a file of a device, which belongs to the device's owner. */
  readonly userID: number | null;
  readonly deviceID: number | null;
  readonly filename: string;
  readonly fileSize: number;
  readonly sha256: string | null;
  readonly contentType: string;
  /** After this time the sweep removes the file unless it is used; missing: a file is kept. */
  readonly keepHours?: number | null;
  /** The event whose result it is, which has no other file. */
  readonly resultOf?: number;
}

export type KeptFile = FileRecord & { readonly storageName: string };

/*
 * `received_sha256` also records who is uploading, for bytes that pass through the server:
 *
 *   null ──whole──▶ receiving <id> ──all there──▶ <hash>
 *     └───part────▶ in parts
 *
 * A hash is valid only if no other upload has begun under the same storage name, before or meanwhile. So an upload of
 * the whole file that is not the first gets a new storage name.
 */
const inParts = 'in parts';

/** Undefined if the file is no longer waiting for bytes. */
export async function beginWhole(db: Db, fileID: number, sending: string) {
  const [row] = await db<{ storageName: string; formerName: string }[]>`
    with former as (
      select key, storage_name, received_sha256 from files where key = ${fileID} and file_status = 0 for update),
    begun as (
      update files f set received_sha256 = ${sending},
        storage_name = case when former.received_sha256 is null then former.storage_name else ${randomUUID()}::uuid end
      from former where f.key = former.key
      returning f.storage_name, former.storage_name as former_name),
    noted as (${noteRemoved(
      db,
      db`(select former_name as storage_name, 0 as file_status from begun where former_name <> storage_name)`,
    )})
    select storage_name as "storageName", former_name as "formerName" from begun`;
  return row;
}

export async function beginPart(db: Db, fileID: number): Promise<string | undefined> {
  const [row] = await db<{ storageName: string }[]>`
    update files set received_sha256 = ${inParts} where key = ${fileID} and file_status = 0
    returning storage_name as "storageName"`;
  return row?.storageName;
}

/** False if another upload has begun. */
export async function endWhole(db: Db, fileID: number, sending: string, sha256: string): Promise<boolean> {
  const rows = await db`
    update files set received_sha256 = ${sha256} where key = ${fileID} and received_sha256 = ${sending} returning 1`;
  return rows.length === 1;
}

export interface Checked {
  readonly storageName: string;
  readonly contentType: string;
}

/** Locks the files so that no other transaction can start to use them. */
export async function lockFiles(tx: Db, fileIDs: readonly number[]): Promise<number[]> {
  const rows = await tx<{ key: number }[]>`
    select key from files where key = any(${fileIDs as number[]}::bigint[]) order by key for update`;
  return rows.map(({ key }) => key);
}

export async function findUses(tx: Db, fileIDs: readonly number[]) {
  return tx<{ key: number; byClip: boolean; byVersion: boolean; byCollection: boolean }[]>`
    select f.key, exists (select 1 from audio_clips c where c.file_id = f.key) as "byClip",
      exists (select 1 from clip_versions v where v.file_id = f.key) as "byVersion",
      ${isFileShared(tx)} as "byCollection"
    from files f where f.key = any(${fileIDs as number[]}::bigint[])`;
}

/** Collections that contained the files are recorded as changed. */
export async function removeFiles(tx: Db, fileIDs: readonly number[]): Promise<void> {
  if (fileIDs.length === 0) return;
  await tx`select 1 from collection_items where file_id = any(${fileIDs as number[]}::bigint[]) order by key for update`;
  await tx`
    with held as (
      select distinct i.collection_id as key, null::bigint as device_id from collection_items i
      where i.file_id = any(${fileIDs as number[]}::bigint[])),
    gone as (delete from files where key = any(${fileIDs as number[]}::bigint[]) returning storage_name, file_status),
    noted as (${noteRemoved(tx, tx`gone`)})
    ${recordChanges(tx, { kind: 'collection', change: 'changed', rows: tx`held` })}`;
}

/** Null until the first restore. */
export async function findLinkSalt(db: Db): Promise<string | null> {
  const [row] = await db<{ salt: string | null }[]>`select link_salt as salt from installation`;
  return row?.salt ?? null;
}

/** Sets when the sweep checks whether a device's file is still used. Of files of people, only temporary ones are swept. */
export async function setSweepDate(db: Db, fileIDs: readonly number[], afterDays: number | null): Promise<void> {
  if (fileIDs.length === 0) return;
  await db`
    update files set sweep_date = now() + make_interval(days => ${afterDays}::int)
    where key = any(${fileIDs as number[]}::bigint[]) and (device_id is not null or sweep_date is not null)`;
}

/**
 * For a locked file that a clip has no longer: schedules the check whether it is still used, and hides it if it is former
 * sound. It stays former sound after its versions are gone, until a clip uses it again.
 */
export async function releaseFiles(tx: Db, fileIDs: readonly number[], afterDays: number): Promise<void> {
  if (fileIDs.length === 0) return;
  await tx`
    update files f set
      sweep_date = case when f.device_id is not null or f.sweep_date is not null
        then now() + make_interval(days => ${afterDays}::int) end,
      is_former = (f.is_former or exists (select 1 from clip_versions v where v.file_id = f.key))
        and not exists (select 1 from audio_clips c where c.file_id = f.key)
    where f.key = any(${fileIDs as number[]}::bigint[])`;
}

/** What the analysis of a file found. */
export interface KeptFacts {
  readonly durationMs: number;
  readonly bitrate: number;
  readonly fault?: string;
}

export async function keepFacts(db: Db, fileID: number, { durationMs, bitrate, fault }: KeptFacts): Promise<void> {
  await db`
    update files set duration_ms = ${Math.round(durationMs)}, bitrate = ${Math.round(bitrate)},
      sound_fault = ${fault ?? null}
    where key = ${fileID}`;
}

export const lockFilesOfDevice = (tx: Db, deviceID: number): Promise<unknown> =>
  tx`select 1 from files where device_id = ${deviceID} order by key for update`;

/** Their bytes are removed later by the sweep. The collections that contained the files are changed. */
export async function removeFilesOfDevice(tx: Db, deviceID: number): Promise<void> {
  await tx`
    with held as (
      select distinct i.collection_id as key, null::bigint as device_id
      from collection_items i join files f on f.key = i.file_id where f.device_id = ${deviceID}),
    gone as (delete from files where device_id = ${deviceID} returning storage_name, file_status),
    noted as (${noteRemoved(tx, tx`gone`)})
    ${recordChanges(tx, { kind: 'collection', change: 'changed', rows: tx`held` })}`;
}

export const moveFilesOfDevice = (tx: Db, deviceID: number, intoID: number): Promise<unknown> =>
  tx`update files set device_id = ${intoID} where device_id = ${deviceID}`;

export async function insertFile(db: Db, file: NewFile): Promise<KeptFile> {
  const [row] = await db<KeptFile[]>`
    with f as (
      insert into files (user_id, device_id, filename, file_size, sha256_hash, content_type, sweep_date, result_of)
      values (${file.userID}, ${file.deviceID}, ${file.filename}, ${file.fileSize}, ${file.sha256}, ${file.contentType},
        now() + make_interval(hours => ${file.keepHours ?? null}::int), ${file.resultOf ?? null})
      returning *)
    select ${fileColumns(db)}, f.storage_name as "storageName" from f`;
  if (!row) throw new Error('a file was not added');
  return row;
}

/**
 * False if the file is no longer waiting, or is waiting for other bytes. After a week the sweep checks whether it is
 * used; a temporary file has a date already.
 */
export async function makeAvailable(db: Db, fileID: number, { storageName, contentType }: Checked): Promise<boolean> {
  const rows = await db`
    update files set file_status = 1, content_type = ${contentType}, available_date = now(),
      sweep_date = coalesce(sweep_date, case when device_id is not null then now() + interval '7 days' end)
    where key = ${fileID} and file_status = 0 and storage_name = ${storageName} returning 1`;
  return rows.length === 1;
}

/**
 * Runs a change that lets clips use files, then locks the files against removal until the transaction ends. Clips come
 * before files in the order of locks: the change may wait for another clip of the same type and start, whose removal
 * waits for the file. If a file was removed meanwhile, the transaction fails.
 */
export async function useFiles<Result>(
  tx: Db,
  fileIDs: readonly (number | null | undefined)[],
  change: () => Promise<Result>,
): Promise<Result> {
  await tx`set constraints audio_clips_file_id_fkey deferred`;
  const result = await change();
  const keys = fileIDs.filter((key) => typeof key === 'number');
  await tx`
    with held as (
      select key, is_former from files where key = any(${keys}::bigint[]) order by key for no key update)
    update files f set is_former = false from held where f.key = held.key and held.is_former`;
  return result;
}

/** What was found out about the bytes of a file, if its record does not have it yet. */
interface ReadBytes {
  readonly sha256: string;
  readonly contentType: string;
}

/** The same for sound that a clip gets in the same transaction, together with the result of its analysis. */
export async function makeSoundAvailable(
  tx: Db,
  fileID: number,
  { durationMs, bitrate }: { durationMs: number; bitrate: number },
  bytes?: ReadBytes,
): Promise<void> {
  const read = bytes && tx`, sha256_hash = ${bytes.sha256}, content_type = ${bytes.contentType}`;
  await tx`
    update files set file_status = 1, available_date = now(), duration_ms = ${Math.round(durationMs)},
      bitrate = ${Math.round(bitrate)} ${read ?? tx``}
    where key = ${fileID}`;
}
