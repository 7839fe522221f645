import type { AudioClipLock } from '@earshot/contract/audio-clip-retention';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { deviceRight } from '../../../access.ts';
import { recordChanges } from '../../../platform/changes/record-changes.ts';
import { recordActs } from '../../audit/public.ts';

const lockColumns = (db: Db): Fragment => db`
  c.key as "audioClipID", c.lock_date is not null as locked, c.locked_by as "lockedBy", c.lock_date as "lockDate"`;

export async function findLock(db: Db, caller: Caller, clipID: number): Promise<AudioClipLock | undefined> {
  const [row] = await db<AudioClipLock[]>`
    select ${lockColumns(db)} from audio_clips c join devices d on d.key = c.device_id
    where c.key = ${clipID} and ${deviceRight(db, caller, 'read')}`;
  return row;
}

/** Returns the new state of the lock; undefined if the caller may not change the clip. */
export async function setLock(
  db: Db,
  caller: Caller,
  clipID: number,
  locked: boolean,
): Promise<AudioClipLock | undefined> {
  const [row] = await db<AudioClipLock[]>`
    with held as (
      select c.* from audio_clips c join devices d on d.key = c.device_id
      where c.key = ${clipID} and ${deviceRight(db, caller, 'write')} for no key update of c),
    changed as (
      update audio_clips c set ${
        locked ? db`lock_date = now(), locked_by = ${caller.userID}` : db`lock_date = null, locked_by = null`
      }
      from held where c.key = held.key and (held.lock_date is null) = ${locked} returning c.*),
    logged as (${recordChanges(db, { kind: 'audioclip', change: 'changed', rows: db`changed` })}),
    told as (${recordActs(db, caller, locked ? 'clip-locked' : 'clip-unlocked', db`changed`)})
    select ${lockColumns(db)} from changed c
    union all select ${lockColumns(db)} from held c where not exists (select 1 from changed)`;
  return row;
}

/** Locks the clip with the rights of the rule's owner; false if the owner may not change it. */
export const lockByRule = async (tx: Db, owner: Caller, clipID: number): Promise<boolean> =>
  (await setLock(tx, owner, clipID, true)) !== undefined;
