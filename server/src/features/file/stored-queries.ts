import type { Db, Fragment } from '../../platform/database/connect.ts';

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
