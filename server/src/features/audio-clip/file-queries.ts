import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { fileRight } from '../../access.ts';

export interface UsableFile {
  readonly fileSize: number;
  /** Null if the file was not analysed, or if the analysis found no length. */
  readonly durationMs: number | null;
}

/** The given files that the caller may use for clips of the device, by key. */
export async function findUsableFiles(
  db: Db,
  caller: Caller,
  deviceID: number,
  fileIDs: readonly number[],
): Promise<ReadonlyMap<number, UsableFile>> {
  const rows = await db<(UsableFile & { key: number })[]>`
    select f.key, f.file_size as "fileSize", f.duration_ms as "durationMs" from files f
    where f.key = any(${fileIDs as number[]}::bigint[]) and f.file_status = 1
      and (f.device_id is null or f.device_id = ${deviceID}) and ${fileRight(db, caller, 'write')}`;
  return new Map(rows.map((file) => [file.key, file]));
}
