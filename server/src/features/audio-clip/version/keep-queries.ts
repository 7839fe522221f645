import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { recordActs } from '../../audit/public.ts';
import { presentHash } from '../recording/queries.ts';

/** What a change does to the record of a clip. */
export interface RecordChange {
  /** Undefined: the sound stays, or it is the first one. Bytes that are the same are no replacement. */
  readonly sound: 'replaced' | 'detached' | undefined;
  readonly isRedated: boolean;
}

/**
 * Parts of the statement that changes a locked clip: the former sound becomes a version, its hash is remembered, and the
 * audit trail gets the hashes before and after. Each part ends with a comma.
 */
export function keepRecord(
  db: Db,
  caller: Caller,
  clipID: number,
  { sound, isRedated }: RecordChange,
  fileID: number | null | undefined,
): Fragment {
  if (sound === undefined && !isRedated) return db``;
  const hashes = { before: db`r.sha256`, after: db`r.next_sha256` };
  // Two sounds of unknown hashes count as different.
  const isOther = db`(select * from former where sha256 is distinct from next_sha256 or next_sha256 is null)`;
  return db`
    former as (
      select c.key, c.device_id, c.file_id, c.start_ms, c.end_ms, ${presentHash(db)} as sha256,
        ${nextHash(db, sound, fileID)} as next_sha256
      from audio_clips c left join files f on f.key = c.file_id left join clip_recordings r on r.audio_clip_id = c.key
      where c.key = ${clipID}),
    ${
      sound === undefined
        ? db``
        : db`kept as (
            insert into clip_versions (audio_clip_id, device_id, file_id, sha256, start_ms, end_ms, replaced_by)
            select r.key, r.device_id, r.file_id, r.sha256, r.start_ms, r.end_ms, ${caller.userID}::bigint
            from ${isOther} r where r.file_id is not null),
          told as (${recordActs(db, caller, sound === 'replaced' ? 'sound-replaced' : 'sound-detached', isOther, hashes)}),`
    }
    ${
      sound === 'detached'
        ? db`remembered as (
            insert into clip_recordings (audio_clip_id, device_id, sha256) select key, device_id, sha256 from former
            on conflict (audio_clip_id) do update set sha256 = coalesce(excluded.sha256, clip_recordings.sha256)),`
        : db``
    }
    ${isRedated ? db`redated as (${recordActs(db, caller, 'clip-redated', db`former`, hashes)}),` : db``}`;
}

/** The hash of the sound that is replaced, for another part of the same statement. */
export const formerHash = (db: Db, { sound }: RecordChange): Fragment =>
  sound === 'replaced' ? db`(select f.sha256 from former f)` : db`null::bytea`;

function nextHash(db: Db, sound: RecordChange['sound'], fileID: number | null | undefined): Fragment {
  if (sound === undefined) return presentHash(db);
  if (sound === 'detached') return db`null::bytea`;
  return db`(select decode(n.sha256_hash, 'hex') from files n where n.key = ${fileID ?? null})`;
}
