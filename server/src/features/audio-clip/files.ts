import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import { conflict } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { fileRight } from '../access/public.ts';

/*
 * Which files clips may have. A clip is available only with its file, and only the platform marks a clip as expired.
 * Every unusable file gets the same message, because a more specific one would reveal whose file it is.
 */

export const unusableFile = (fileID: number) =>
  conflict(`The file ${fileID} does not exist, is not available, is another device's, or you may not write it.`);

export const missingFile = () =>
  conflict(`A clip with status ${audioClipStatus.available} (available) needs a file: give its fileID.`);

export const statusSetByPlatform = () =>
  conflict(`Only the platform sets status ${audioClipStatus.expired} (expired).`);

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
