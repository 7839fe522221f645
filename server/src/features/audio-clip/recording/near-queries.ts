import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { Db } from '../../../platform/database/connect.ts';
import { hashOfSound, wasDetached } from './queries.ts';

/** A clip near a start, with what is known of its sound. */
export interface NearbyClip {
  readonly audioClipID: number;
  readonly startMs: number;
  readonly fileID: number | null;
  /** Whether retention removed its sound. */
  readonly isExpired: boolean;
  /** Whether a person took its sound away. */
  readonly isDetached: boolean;
  /** Null if the clip never had sound, or got it before given starts were kept. */
  readonly givenStartMs: number | null;
  /** Of the sound that it has, else of the sound that it had; null if that is unknown. */
  readonly sha256: string | null;
  /** Of the sound that arrived, if a person replaced it. */
  readonly firstSha256: string | null;
  /** Whether no other uploaded recording can have its start. */
  readonly takesPlace: boolean;
}

/**
 * The clips of the device that begin within a time and are no radio calls, and all whose sender gave exactly this start,
 * wherever they begin now.
 */
export async function findClipsNear(
  db: Db,
  deviceID: number,
  startMs: number,
  withinMs: number,
): Promise<readonly NearbyClip[]> {
  const isUpload = db`c.audio_clip_type_id = 0 and c.talkgroup = 0`;
  return db<NearbyClip[]>`
    select c.key as "audioClipID", c.start_ms as "startMs", c.file_id as "fileID",
      c.audio_clip_status = ${audioClipStatus.expired} as "isExpired", ${wasDetached(db)} as "isDetached",
      r.given_start_ms as "givenStartMs",
      ${hashOfSound(db)} as sha256, encode(r.first_sha256, 'hex') as "firstSha256", ${isUpload} as "takesPlace"
    from (
      select c.key from audio_clips c
      where c.device_id = ${deviceID} and ${isUpload} and c.start_ms >= ${startMs} and c.start_ms < ${startMs + withinMs}
      union
      select g.audio_clip_id from clip_recordings g where g.device_id = ${deviceID} and g.given_start_ms = ${startMs}) n
    join audio_clips c on c.key = n.key
    left join clip_recordings r on r.audio_clip_id = c.key
    left join files f on f.key = c.file_id and f.file_status = 1
    order by c.start_ms, c.key`;
}
