import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { fileRight } from '../../access.ts';
import type { HeldClip } from './queries.ts';

export interface UsableFile {
  readonly fileSize: number;
  /** Null if the file was not analysed, or if the analysis found no length. */
  readonly durationMs: number | null;
  readonly sha256: string | null;
}

/** The given files that the caller may use for clips of the device, by key. */
export async function findUsableFiles(
  db: Db,
  caller: Caller,
  deviceID: number,
  fileIDs: readonly number[],
): Promise<ReadonlyMap<number, UsableFile>> {
  const rows = await db<(UsableFile & { key: number })[]>`
    select f.key, f.file_size as "fileSize", f.duration_ms as "durationMs", f.sha256_hash as sha256
    from files f
    where f.key = any(${fileIDs as number[]}::bigint[]) and f.file_status = 1
      and (f.device_id is null or f.device_id = ${deviceID}) and ${fileRight(db, caller, 'write')}`;
  return new Map(rows.map((file) => [file.key, file]));
}

/**
 * The hash of the sound that the clip has, else of the sound that it had. Read after the clip was locked: the statement
 * that waited for the lock may have seen the file of before.
 */
export async function findHash(tx: Db, { clip, rememberedHash }: HeldClip): Promise<string | null> {
  if (!clip.fileID) return rememberedHash;
  const [file] = await tx<{ sha256: string | null }[]>`
    select sha256_hash as sha256 from files where key = ${clip.fileID}`;
  return file?.sha256 ?? null;
}
