import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import { conflict } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { fileRight } from '../access/rules.ts';

/*
 * Which files clips may have. A clip is available only with its file; that its file has expired is for the
 * platform to say. Whatever is wrong with a file is told in the same words: whose it is, is nobody's business.
 */

export const unusableFile = (fileID: number) =>
  conflict(`The file ${fileID} is not an available file that you may write, of the device of the clip or of none.`);

export const withoutFile = () =>
  conflict(`A clip is available (status ${audioClipStatus.available}) only with its file: give its fileID.`);

export const onlyByPlatform = () =>
  conflict(`That the file of a clip has expired (status ${audioClipStatus.expired}) is set by the platform.`);

export interface UsableFile {
  readonly fileSize: number;
  /** Null while nobody has analysed it, and where that told nothing. */
  readonly durationMs: number | null;
}

/** Those of the files that the caller may give to clips of the device, by key. */
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
