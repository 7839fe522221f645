import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { recordChanges } from '../../../platform/changes/record-changes.ts';
import { wasDetached } from '../recording/queries.ts';

/**
 * The given clips that belong to the device. Locks the device first, then the clips by key, until the transaction ends.
 */
export async function lockClipsOf(tx: Db, deviceID: number, clipIDs: readonly number[]): Promise<readonly number[]> {
  const rows = await tx<{ key: number }[]>`
    select c.key from audio_clips c join devices d on d.key = c.device_id
    where c.key = any(${clipIDs as number[]}::bigint[]) and c.device_id = ${deviceID}
    order by c.key for key share of d for no key update of c`;
  return rows.map(({ key }) => key);
}

/** Skips clips whose sound is uploaded or was taken away by a person, and clips that are already requested. */
export async function setUploadRequested(tx: Db, caller: Caller, clipIDs: readonly number[]): Promise<void> {
  await tx`
    with changed as (
      update audio_clips c set audio_clip_status = ${audioClipStatus.uploadRequested}, last_modified_date = now(), last_modified_by = ${caller.userID}
      where key = any(${clipIDs as number[]}::bigint[]) and not ${wasDetached(tx)}
        and audio_clip_status not in (${audioClipStatus.uploadRequested}, ${audioClipStatus.available})
      returning key, device_id)
    ${recordChanges(tx, { kind: 'audioclip', change: 'changed', rows: tx`(select * from changed order by key)` })}`;
}
