import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import { conflict } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { fileRight } from '../../access.ts';

/*
 * Which files and statuses clips may have. Every unusable file gets the same message, because a more specific one would
 * reveal whose file it is.
 */

/**
 * The status that is stored for a written one. A clip with its file is available: a status that a client writes never
 * hides sound. Clients use numbers of their own, up to 6, so those that only the platform sets are replaced.
 */
export function storedStatus(given: number, hasFile: boolean): number {
  if (hasFile) return audioClipStatus.available;
  if (given === audioClipStatus.available) return audioClipStatus.uploading;
  if (given === audioClipStatus.uploadFailed) return audioClipStatus.uploadRequested;
  return given > audioClipStatus.uploadFailed ? audioClipStatus.onDevice : given;
}

export const unusableFile = (fileID: number) =>
  conflict(`The file ${fileID} does not exist, is not available, is another device's, or you may not write it.`);

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
