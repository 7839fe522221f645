import type { Db, Fragment, Pool } from '../../platform/database/connect.ts';
import type { Checked, KeptFile, NewFile } from './queries.ts';
import { fileColumns, findUses, keepFacts, lockFiles, removeFiles, setSweepDate } from './queries.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import type { Content } from '../../platform/http/answer/send-content.ts';
import type { Scratch } from '../../platform/storage/scratch.ts';
import type { SharedMedia } from '../../platform/media/limited-media.ts';
import { probeSound } from '../../platform/media/probe-sound.ts';

export async function insertFile(db: Db, file: NewFile): Promise<KeptFile> {
  const [row] = await db<KeptFile[]>`
    with f as (
      insert into files (user_id, device_id, filename, file_size, sha256_hash, content_type)
      values (${file.userID}, ${file.deviceID}, ${file.filename}, ${file.fileSize}, ${file.sha256}, ${file.contentType})
      returning *)
    select ${fileColumns(db)}, f.storage_name as "storageName" from f`;
  if (!row) throw new Error('a file was not added');
  return row;
}

/** The state of a file's upload and storage, without a check of rights. */
export interface StoredFile {
  readonly key: number;
  readonly deviceID: number | null;
  readonly filename: string;
  readonly fileSize: number;
  readonly fileStatus: number;
  readonly sha256: string | null;
  readonly receivedSha256: string | null;
  readonly contentType: string;
  readonly storageName: string;
  /** When the file became available; for files that were stored before this was recorded, when they were created. */
  readonly date: Date;
  readonly durationMs: number | null;
  readonly bitrate: number | null;
  /** The owner of its device, or the person who uploaded it. */
  readonly ownerID: number;
}

/** A stored file over the aliases f (files) and o (its device, may be missing). */
export const storedFileColumns = (db: Db): Fragment => db`
  f.key, f.device_id as "deviceID", f.filename, f.file_size as "fileSize", f.file_status as "fileStatus",
  f.sha256_hash as sha256, f.received_sha256 as "receivedSha256", f.content_type as "contentType",
  f.storage_name as "storageName", coalesce(f.available_date, f.creation_date) as date, f.duration_ms as "durationMs",
  f.bitrate, coalesce(o.user_id, f.user_id) as "ownerID"`;

export async function findStoredFile(db: Db, fileID: number): Promise<StoredFile | undefined> {
  const [row] = await db<StoredFile[]>`
    select ${storedFileColumns(db)} from files f left join devices o on o.key = f.device_id where f.key = ${fileID}`;
  return row;
}

/**
 * False if the file is no longer waiting, or is waiting for other bytes. After a week the sweep checks whether it is
 * used.
 */
export async function makeAvailable(db: Db, fileID: number, { storageName, contentType }: Checked): Promise<boolean> {
  const rows = await db`
    update files set file_status = 1, content_type = ${contentType}, available_date = now(),
      sweep_date = case when device_id is not null then now() + interval '7 days' end
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
  await tx`select 1 from files where key = any(${keys}::bigint[]) order by key for no key update`;
  return result;
}

/** What was found out about the bytes of a file, if its record does not have it yet. */
export interface ReadBytes {
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

export const contentOf = (storage: Storage, file: StoredFile): Content => ({
  size: file.fileSize,
  contentType: file.contentType,
  filename: file.filename,
  // The bytes of a file never change, so its key is a valid ETag if there is no hash.
  version: file.sha256 ?? `file-${file.key}`,
  lastModified: file.date,
  read: (range) => storage.read(file.storageName, range),
});

/** For a clip that gets another file: schedules the check whether the former file is still used. */
export const releaseFile = (tx: Db, fileID: number): Promise<void> => setSweepDate(tx, [fileID], checkAgainDays);

/** Removes those of the files that no clip and no collection uses. */
export async function removeUnusedFiles(tx: Db, fileIDs: readonly number[]): Promise<void> {
  if (fileIDs.length === 0) return;
  // Lock first, then check: a transaction that starts to use a file waits for the lock, and earlier uses are visible.
  const found = await findUses(tx, await lockFiles(tx, fileIDs));
  const keys = (uses: readonly { key: number }[]) => uses.map(({ key }) => key);
  const [held, free] = [found.filter(({ byClip }) => byClip), found.filter(({ byClip }) => !byClip)];
  await removeFiles(tx, keys(free.filter(({ byCollection }) => !byCollection)));
  await setSweepDate(tx, keys(free.filter(({ byCollection }) => byCollection)), checkAgainDays);
  await setSweepDate(tx, keys(held), null);
}

export interface SoundParts {
  readonly db: Pool;
  readonly storage: Storage;
  readonly scratch: Scratch;
  readonly media: SharedMedia;
}

/** The result of analysing a file. */
export interface FileFacts {
  readonly durationMs: number;
  /** Bits per second. */
  readonly bitrate: number;
}

/**
 * Analyses a file once and stores the result. Undefined: the file is not readable sound, or its bytes are missing.
 * Throws a MediaError for sound that is too long or takes too much time or memory to read.
 */
export async function describeSound(parts: SoundParts, fileID: number): Promise<FileFacts | undefined> {
  const { db, storage, scratch } = parts;
  const file = await findStoredFile(db, fileID);
  if (!file || file.fileStatus !== 1) return undefined;
  if (file.durationMs !== null && file.bitrate !== null) return { durationMs: file.durationMs, bitrate: file.bitrate };
  const facts = await scratch.withStored(storage, file.storageName, (path) =>
    probeSound(parts.media, path, file.ownerID),
  );
  if (facts) await keepFacts(db, fileID, facts);
  return facts;
}

/** Days until the sweep checks a file again that only a collection uses. */
export const checkAgainDays = 7;

export const peaksName = (storageName: string): string => `${storageName}-peaks`;
