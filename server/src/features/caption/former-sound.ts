import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { eraseVersionsOfFile } from '../audio-clip/public.ts';
import { removeCaptions } from './former-queries.ts';

/** Deletes the versions of clips that have a file as their former sound, with their transcripts. */
export async function removeFormerSound(tx: Db, caller: Caller, fileID: number): Promise<void> {
  await removeCaptions(tx, await eraseVersionsOfFile(tx, caller, fileID));
}
