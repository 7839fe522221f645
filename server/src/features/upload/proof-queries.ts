import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';
import { isHashOfClip } from '../audio-clip/public.ts';

/**
 * The places in the list of the recordings whose clip the caller may write and has, or had, exactly these bytes: the hash is
 * remembered when retention removes them, or a person replaces them or takes them away.
 */
export async function findStored(
  db: Db,
  caller: Caller,
  recordings: readonly { readonly audioClipID: number; readonly sHA256Hash: string }[],
): Promise<ReadonlySet<number>> {
  const clipIDs = recordings.map(({ audioClipID }) => audioClipID);
  const hashes = recordings.map(({ sHA256Hash }) => sHA256Hash);
  const rows = await db<{ place: number }[]>`
    select w.place::int - 1 as place
    from unnest(${clipIDs}::bigint[], ${hashes}::text[]) with ordinality as w (audio_clip_id, hash, place)
    join audio_clips c on c.key = w.audio_clip_id
    join devices d on d.key = c.device_id
    left join files f on f.key = c.file_id and f.file_status = 1
    left join clip_recordings r on r.audio_clip_id = c.key
    where ${deviceRight(db, caller, 'write')} and ${isHashOfClip(db, db`w.hash`)}`;
  return new Set(rows.map(({ place }) => place));
}
