import type { Db } from '../../../platform/database/connect.ts';
import { numberArray } from '../../../platform/database/number-array.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { deviceRight } from '../../../access.ts';
import type { StoredClip } from '../queries.ts';
import { clipColumns } from '../queries.ts';
import type { ClipIdentity, NamedDevice } from './insert-queries.ts';
import { isNamed } from './insert-queries.ts';

/** The device's clips of these types, starts and talkgroups, if the caller may write to the device. */
export async function findClipsAt(
  db: Db,
  caller: Caller,
  device: NamedDevice,
  places: readonly ClipIdentity[],
): Promise<StoredClip[]> {
  const numbers = (name: keyof ClipIdentity) => numberArray(places.map((place) => place[name]));
  return db<StoredClip[]>`
    select ${clipColumns(db)}
    from devices d cross join unnest(${numbers('typeID')}::bigint[], ${numbers('startMs')}::bigint[],
      ${numbers('talkgroup')}::bigint[]) as n (type_id, start_ms, talkgroup)
    cross join lateral (
      select * from audio_clips c
      where c.device_id = d.key and c.audio_clip_type_id = n.type_id and c.start_ms = n.start_ms
        and c.talkgroup = n.talkgroup limit 1) c
    where ${isNamed(db, device)} and ${deviceRight(db, caller, 'write')}`;
}
