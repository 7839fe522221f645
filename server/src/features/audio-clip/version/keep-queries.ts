import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { recordActs } from '../../audit/public.ts';

/** What a change does to the record of a clip. */
export interface RecordChange {
  /** Undefined: the sound stays, or it is the first one. Bytes that are the same are no replacement. */
  readonly sound: 'replaced' | 'detached' | undefined;
  readonly isRedated: boolean;
}

/**
 * Parts of the statement that changes a locked clip: the former sound becomes a version, and the audit trail gets the
 * hashes before and after. Each part ends with a comma.
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
  const isOther = db`(select * from former where sha256 is distinct from next_sha256)`;
  return db`
    former as (
      select c.key, c.device_id, c.file_id, c.start_ms, c.end_ms, ${hashOfFormer(db)} as sha256,
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
    ${isRedated ? db`redated as (${recordActs(db, caller, 'clip-redated', db`former`, hashes)}),` : db``}`;
}

/** Of the sound that the clip has, else of the sound that it had. */
const hashOfFormer = (db: Db): Fragment => db`coalesce(decode(f.sha256_hash, 'hex'), r.sha256)`;

function nextHash(db: Db, sound: RecordChange['sound'], fileID: number | null | undefined): Fragment {
  if (sound === undefined) return hashOfFormer(db);
  if (sound === 'detached') return db`null::bytea`;
  return db`(select decode(n.sha256_hash, 'hex') from files n where n.key = ${fileID ?? null})`;
}
