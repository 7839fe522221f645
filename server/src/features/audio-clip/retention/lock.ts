import type { AudioClipLock } from '@earshot/contract/audio-clip-retention';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { findLock, setLock } from './lock-queries.ts';
import { refuseClipChange } from '../require-clip.ts';

export async function readLock(db: Db, caller: Caller, clipID: number): Promise<AudioClipLock> {
  return (await findLock(db, caller, clipID)) ?? refuseClipChange(db, caller, clipID);
}

/** Locking a locked clip keeps the date and the person of the existing lock. */
export async function changeLock(db: Db, caller: Caller, clipID: number, locked: boolean): Promise<AudioClipLock> {
  return (await setLock(db, caller, clipID, locked)) ?? refuseClipChange(db, caller, clipID);
}
