import type { AudioClipRecording } from '@earshot/contract/audio-clip-recording';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { refuseClipChange } from '../require-clip.ts';
import { findRecording, setTitle } from './queries.ts';

export async function readRecording(db: Db, caller: Caller, clipID: number): Promise<AudioClipRecording> {
  return (await findRecording(db, caller, clipID)) ?? refuseClipChange(db, caller, clipID);
}

/** Null goes back to the name of the file. */
export async function changeTitle(
  db: Db,
  caller: Caller,
  clipID: number,
  title: string | null,
): Promise<AudioClipRecording> {
  const isChangeable = await setTitle(db, caller, clipID, title);
  return isChangeable ? readRecording(db, caller, clipID) : refuseClipChange(db, caller, clipID);
}
