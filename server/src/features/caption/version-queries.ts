import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import { requireValue } from '../../platform/database/stored.ts';
import { createdOrChanged, recordChanges } from '../../platform/changes/record-changes.ts';
import type { AuditActor } from '../audit/public.ts';
import { recordActs } from '../audit/public.ts';
import type { StoredVersion } from './queries.ts';
import { cleanSegments, cleanText as clean, clearDoubt, markDoubtful } from './segments.ts';
import { indexCaption } from '../caption-index/public.ts';

/*
 * How captions are written, with their clip locked.
 *
 *   every run of an engine, correction or restored version is a new version; versions are never changed
 *   the current version (`captions`) is the last one made by hand for this sound, else the last run of an engine
 *
 * A version records the event that made it, so an event that is repeated after a crash finds its version.
 */

export interface NewVersion extends Omit<StoredVersion, 'version'> {
  readonly eventID: number | null;
  /** Who made it by hand. */
  readonly author?: AuditActor;
}

export interface LockedClip {
  readonly clipID: number;
  readonly deviceID: number;
  readonly fileID: number | null;
  readonly isAvailable: boolean;
  /** The current version; null if there is none. */
  readonly version: number | null;
  readonly isByHand: boolean;
  readonly captionFileID: number | null;
}

/** Locks the clip until the transaction ends and reads the state of its caption. */
export async function lockCaption(tx: Db, clipID: number): Promise<LockedClip | undefined> {
  await tx`select 1 from audio_clips where key = ${clipID} for no key update`;
  // Read in a second statement, which sees the changes that were committed before the lock was granted.
  const [row] = await tx<LockedClip[]>`
    select c.key as "clipID", c.device_id as "deviceID", c.file_id as "fileID",
      c.audio_clip_status = ${audioClipStatus.available} as "isAvailable", p.version,
      p.corrected_date is not null as "isByHand", p.file_id as "captionFileID"
    from audio_clips c left join captions p on p.audio_clip_id = c.key where c.key = ${clipID}`;
  return row;
}

export async function wasWrittenByEvent(tx: Db, clipID: number, eventID: number): Promise<boolean> {
  const rows = await tx`select 1 from caption_versions where audio_clip_id = ${clipID} and event_id = ${eventID}`;
  return rows.length > 0;
}

/** Adds a version to a locked clip and makes it current, unless the current one was made by hand for the same sound. */
export async function addVersion(tx: Db, clip: LockedClip, given: NewVersion): Promise<number> {
  const segments = given.origin === 'engine' ? markDoubtful(given.segments) : clearDoubt(given.segments);
  const [row] = await tx<{ version: number }[]>`
    insert into caption_versions (audio_clip_id, version, origin, transcript, segments, is_timed, file_id, language,
      is_language_known, engine_name, engine_version, based_on, event_id, created_by)
    select ${clip.clipID}, coalesce(max(version), 0) + 1, ${given.origin}, ${clean(given.transcript)},
      ${JSON.stringify(cleanSegments(segments))}::text::jsonb, ${given.isTimed}, ${given.fileID}, ${given.language},
      ${given.isLanguageKnown}, ${given.engineName}, ${given.engineVersion}, ${given.basedOn}, ${given.eventID},
      ${given.createdBy}
    from caption_versions where audio_clip_id = ${clip.clipID}
    returning version`;
  const version = requireValue(row?.version, 'caption_versions.version of an added version');
  const isOfSameSound = clip.captionFileID === null || clip.captionFileID === given.fileID;
  const isKept = given.origin === 'engine' && clip.isByHand && isOfSameSound;
  if (!isKept) await setCurrent(tx, clip, version, given);
  return version;
}

/** The only place that decides which version is current. */
async function setCurrent(tx: Db, clip: LockedClip, version: number, given: NewVersion): Promise<void> {
  const { author } = given;
  const action = given.transcript.trim() === '' ? 'caption-removed' : 'caption-corrected';
  const byHand: Fragment = given.origin === 'hand' ? tx`now()` : tx`null`;
  await tx`
    with put as (
      insert into captions as p (audio_clip_id, device_id, transcript, version, file_id, language, is_language_known,
        engine_name, engine_version, corrected_by, corrected_date)
      values (${clip.clipID}, ${clip.deviceID}, ${clean(given.transcript)}, ${version}, ${given.fileID}, ${given.language},
        ${given.isLanguageKnown}, ${given.engineName}, ${given.engineVersion},
        ${given.origin === 'hand' ? given.createdBy : null}, ${byHand})
      on conflict (audio_clip_id) do update set transcript = excluded.transcript, version = excluded.version,
        file_id = excluded.file_id, language = excluded.language, is_language_known = excluded.is_language_known,
        engine_name = excluded.engine_name, engine_version = excluded.engine_version,
        corrected_by = excluded.corrected_by, corrected_date = excluded.corrected_date, last_modified_date = now()
      returning p.audio_clip_id as key, p.device_id, p.creation_date)
    ${author ? tx`, told as (${recordActs(tx, author, action, tx`put`)})` : tx``}
    ${recordChanges(tx, { kind: 'caption', change: createdOrChanged(tx), rows: tx`put` })}`;
  await indexCaption(tx, { clipID: clip.clipID, transcript: clean(given.transcript) });
}
