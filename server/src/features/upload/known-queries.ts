import type { KnownRecording } from '@earshot/contract/upload';
import { mostKnownClips } from '@earshot/contract/upload';
import type { Db } from '../../platform/database/connect.ts';
import { numberArray } from '../../platform/database/number-array.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';
import { hashOfSound, isHashOfClip, wasDetached } from '../audio-clip/public.ts';

/** A recording that a sender asks about. */
export interface AskedRecording {
  readonly deviceID: number | null;
  /** If there is no key of the device. */
  readonly deviceSerial: string | null;
  readonly startMs: number;
  readonly sha256: string;
}

/**
 * The clips of the same device, given start and bytes, one for each recording: one that has its sound if there is one. A
 * clip whose given start was not kept counts by its start. Sound that a person has replaced or taken away needs no further
 * upload.
 */
export async function findKnownRecordings(
  db: Db,
  caller: Caller,
  recordings: readonly AskedRecording[],
): Promise<KnownRecording[]> {
  const numbers = (name: 'deviceID' | 'startMs') => numberArray(recordings.map((recording) => recording[name]));
  const texts = (name: 'deviceSerial' | 'sha256') => recordings.map((recording) => recording[name]) as string[];
  const readable = deviceRight(db, caller, 'read');
  return db<KnownRecording[]>`
    select n.place - 1 as "recordingIndex", n.hash as "sHA256Hash", k.key as "audioClipID", d.key as "deviceID",
      k.is_stored as "isStored"
    from unnest(${numbers('deviceID')}::bigint[], ${texts('deviceSerial')}::text[], ${numbers('startMs')}::bigint[],
      ${texts('sha256')}::text[]) with ordinality as n (device_id, serial, start_ms, hash, place)
    cross join lateral (
      select d.key from devices d where d.key = n.device_id and ${readable}
      union all select d.key from devices d where n.device_id is null and d.device_serial = n.serial and ${readable}
      limit 1) d
    cross join lateral (
      select c.key, f.key is not null or ${wasDetached(db)} or ${hashOfSound(db)} <> n.hash as is_stored
      from (
        select g.audio_clip_id as key from clip_recordings g
        where g.device_id = d.key and g.given_start_ms = n.start_ms
        union all
        select o.key from audio_clips o
        where o.device_id = d.key and o.audio_clip_type_id = 0 and o.start_ms = n.start_ms and o.talkgroup = 0
          and (select g.given_start_ms from clip_recordings g where g.audio_clip_id = o.key) is null) p
      cross join lateral (select * from audio_clips c where c.key = p.key limit 1) c
      left join clip_recordings r on r.audio_clip_id = c.key
      left join files f on f.key = c.file_id and f.file_status = 1
      where ${isHashOfClip(db, db`n.hash`)}
      order by is_stored desc, c.key limit 1) k
    order by n.place`;
}

/** The clips of any device with these hashes. */
export async function findKnownHashes(db: Db, caller: Caller, hashes: readonly string[]): Promise<KnownRecording[]> {
  return db<KnownRecording[]>`
    select h.hash as "sHA256Hash", k.key as "audioClipID", k.device_id as "deviceID"
    from unnest(${hashes as string[]}::text[]) with ordinality as h (hash, place)
    cross join lateral (
      select c.key, c.device_id
      from files f join audio_clips c on c.file_id = f.key join devices d on d.key = c.device_id
      where f.sha256_hash = h.hash and f.file_status = 1 and ${deviceRight(db, caller, 'read')}
      order by c.key limit ${mostKnownClips}) k
    order by h.place, k.key`;
}
