import type { Db, Fragment } from '../../../platform/database/connect.ts';

/** What the sender of a recording told about it, and what its sound is. */
export interface NewRecording {
  /** The start that the sender gave, or that was read from the recording. */
  readonly givenStartMs: number;
  readonly sha256: string;
  /** Null if the sender gave no name. */
  readonly filename: string | null;
  readonly grownFromID?: number | null | undefined;
  readonly soundFault?: string | null | undefined;
}

/**
 * Records how clips got their sound: an insert to be part of the statement that gives it to them. `clips` is the name of
 * rows of audio_clips; those without a file are left out. Without a recording, its facts are those of the clip and of its
 * file. A clip that had sound before keeps its title, and the start and hash of the sound that arrived first: `former` is
 * that of the sound it has, for clips whose sound came before hashes were remembered.
 */
export const recordSound = (
  db: Db,
  clips: Fragment,
  recording: NewRecording | undefined,
  former: Fragment = db`null::bytea`,
): Fragment => db`
  insert into clip_recordings (audio_clip_id, device_id, given_start_ms, grown_from_id, sha256, filename, sound_fault,
    first_sha256)
  select s.*, nullif(${former}, s.sha256) from (${recording ? givenFacts(db, clips, recording) : factsOfFile(db, clips)}) s
  on conflict (audio_clip_id) do update set
    given_start_ms = coalesce(clip_recordings.given_start_ms, excluded.given_start_ms),
    first_sha256 = case when clip_recordings.sha256 = excluded.sha256 then clip_recordings.first_sha256
      else coalesce(clip_recordings.first_sha256, clip_recordings.sha256, excluded.first_sha256) end,
    grown_from_id = excluded.grown_from_id, sha256 = excluded.sha256, filename = excluded.filename,
    sound_fault = excluded.sound_fault`;

const givenFacts = (db: Db, clips: Fragment, recording: NewRecording): Fragment => db`
  select c.key, c.device_id, ${recording.givenStartMs}::bigint, ${recording.grownFromID ?? null}::bigint,
    decode(${recording.sha256}, 'hex') as sha256, ${recording.filename}::text, ${recording.soundFault ?? null}::text
  from ${clips} c`;

const factsOfFile = (db: Db, clips: Fragment): Fragment => db`
  select c.key, c.device_id, c.start_ms, null::bigint, decode(f.sha256_hash, 'hex') as sha256, f.filename, f.sound_fault
  from ${clips} c cross join lateral (select * from files f where f.key = c.file_id limit 1) f`;
