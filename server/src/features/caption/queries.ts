import { summaryLength } from '@earshot/contract/caption';
import type { Caption, CaptionSummary } from '@earshot/contract/caption';
import type { CaptionVersion } from '@earshot/contract/caption-version';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Segment } from '../../platform/listening/engine.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../access/public.ts';

/** The current caption of a clip as the contract shows it, over the alias p. */
const captionColumns = (db: Db): Fragment => db`
  p.audio_clip_id as key, p.device_id as "deviceID", p.version, p.language, p.is_language_known as "isLanguageKnown",
  p.engine_name as "engineName", p.engine_version as "engineVersion", p.corrected_by as "correctedBy",
  p.corrected_date as "correctedDate", p.creation_date as "creationDate", p.last_modified_date as "lastModifiedDate"`;

export async function findCaption(db: Db, caller: Caller, clipID: number): Promise<Caption | undefined> {
  const [row] = await db<Caption[]>`
    select ${captionColumns(db)}, p.transcript, coalesce(v.segments, '[]') as segments
    from captions p join devices d on d.key = p.device_id
    left join caption_versions v on v.audio_clip_id = p.audio_clip_id and v.version = p.version
    where p.audio_clip_id = ${clipID} and ${deviceRight(db, caller, 'read')}`;
  return row;
}

/** For the live stream, which checks separately what each listener may read. */
export async function findCaptionsByKey(db: Db, keys: readonly number[]): Promise<CaptionSummary[]> {
  return db<CaptionSummary[]>`
    select ${captionColumns(db)}, left(p.transcript, ${summaryLength}) as transcript from captions p
    where p.audio_clip_id = any(${keys as number[]}::bigint[])`;
}

export async function listVersions(db: Db, clipID: number): Promise<CaptionVersion[]> {
  return db<CaptionVersion[]>`
    select v.version, v.origin, v.transcript, v.language, v.is_language_known as "isLanguageKnown",
      v.engine_name as "engineName", v.engine_version as "engineVersion", v.is_timed as "isTimed",
      v.based_on as "basedOn", v.created_by as "createdBy", v.creation_date as "creationDate",
      v.version = p.version as "isCurrent"
    from captions p join caption_versions v on v.audio_clip_id = p.audio_clip_id
    where p.audio_clip_id = ${clipID} order by v.version desc`;
}

/** A complete version, as it is stored. */
export interface StoredVersion {
  readonly version: number;
  readonly origin: 'engine' | 'hand';
  readonly transcript: string;
  readonly segments: readonly Segment[];
  readonly isTimed: boolean;
  readonly fileID: number | null;
  readonly language: string | null;
  readonly isLanguageKnown: boolean;
  readonly engineName: string | null;
  readonly engineVersion: string | null;
  /** The version that this one corrects, times or restores. */
  readonly basedOn: number | null;
  readonly createdBy: number | null;
}

const versionColumns = (db: Db): Fragment => db`
  v.version, v.origin, v.transcript, v.segments, v.is_timed as "isTimed", v.file_id as "fileID", v.language,
  v.is_language_known as "isLanguageKnown", v.engine_name as "engineName", v.engine_version as "engineVersion",
  v.based_on as "basedOn", v.created_by as "createdBy"`;

export async function findVersion(db: Db, clipID: number, version: number): Promise<StoredVersion | undefined> {
  const [row] = await db<StoredVersion[]>`
    select ${versionColumns(db)} from caption_versions v
    where v.audio_clip_id = ${clipID} and v.version = ${version}`;
  return row;
}

/** The current version. */
export async function findCurrent(db: Db, clipID: number): Promise<StoredVersion | undefined> {
  const [row] = await db<StoredVersion[]>`
    select ${versionColumns(db)} from captions p
    join caption_versions v on v.audio_clip_id = p.audio_clip_id and v.version = p.version
    where p.audio_clip_id = ${clipID}`;
  return row;
}

export const moveCaptionsOfDevice = (tx: Db, deviceID: number, intoID: number): Promise<unknown> =>
  tx`update captions set device_id = ${intoID} where device_id = ${deviceID}`;
