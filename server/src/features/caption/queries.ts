import { summaryLength } from '@earshot/contract/caption';
import type { Caption, CaptionSummary } from '@earshot/contract/caption';
import type { CaptionVersion } from '@earshot/contract/caption-version';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';
import { isOfFormerSound } from './former-queries.ts';
import { isRunning } from './transcribe/part-queries.ts';
import type { StoredSegment } from './segments.ts';
import { transcriptOf } from './segments.ts';

/** The current caption of a clip as the contract shows it, over the alias p. */
const captionColumns = (db: Db): Fragment => db`
  p.audio_clip_id as key, p.device_id as "deviceID", p.version, p.language, p.is_language_known as "isLanguageKnown",
  p.engine_name as "engineName", p.engine_version as "engineVersion", p.corrected_by as "correctedBy",
  p.corrected_date as "correctedDate", p.creation_date as "creationDate", p.last_modified_date as "lastModifiedDate"`;

export async function findCaption(db: Db, caller: Caller, clipID: number): Promise<Caption | undefined> {
  const [row] = await db<Caption[]>`
    select ${captionColumns(db)}, p.transcript, v.is_timed as "isTimed",
      coalesce(v.segments, '[]') as segments
    from captions p join devices d on d.key = p.device_id
    left join caption_versions v on v.audio_clip_id = p.audio_clip_id and v.version = p.version
    where p.audio_clip_id = ${clipID} and ${deviceRight(db, caller, 'read')}`;
  return row;
}

/** The words so far of a clip that is being transcribed, over the aliases r (the run) and c (its clip). */
const runColumns = (db: Db, mostParts: number): Fragment => db`
  r.audio_clip_id as key, c.device_id as "deviceID", r.language, r.engine_name as "engineName",
  r.engine_version as "engineVersion", r.heard_until_ms as "heardUntilMs", r.creation_date as "creationDate",
  r.last_modified_date as "lastModifiedDate",
  (select coalesce(jsonb_agg(p.segments order by p.until_ms), '[]') from (
    select p.segments, p.until_ms from caption_parts p
    where p.audio_clip_id = r.audio_clip_id and p.event_id = r.event_id order by p.until_ms limit ${mostParts}) p) as parts`;

type RunRow = Omit<CaptionSummary, 'transcript'> & { readonly parts: readonly (readonly StoredSegment[])[] };

const everyPart = 1_000_000;

export async function findRunningCaption(db: Db, caller: Caller, clipID: number): Promise<Caption | undefined> {
  const [row] = await db<RunRow[]>`
    select ${runColumns(db, everyPart)}
    from caption_runs r join audio_clips c on c.key = r.audio_clip_id join devices d on d.key = c.device_id
    where r.audio_clip_id = ${clipID} and ${isRunning(db)} and ${deviceRight(db, caller, 'read')}
    order by r.heard_until_ms desc limit 1`;
  if (!row) return undefined;
  const { parts, ...facts } = row;
  const segments = parts.flat() as Caption['segments'];
  return { ...facts, transcript: transcriptOf(segments), segments };
}

/** These contain more text than a summary shows. */
const partsOfSummary = 50;

/** For the live stream, which checks separately what each listener may read. */
export async function findCaptionsByKey(db: Db, keys: readonly number[]): Promise<CaptionSummary[]> {
  const captions = await db<CaptionSummary[]>`
    select ${captionColumns(db)}, left(p.transcript, ${summaryLength}) as transcript from captions p
    where p.audio_clip_id = any(${keys as number[]}::bigint[])`;
  const written = new Set(captions.map(({ key }) => key));
  const others = keys.filter((key) => !written.has(key));
  if (others.length === 0) return captions;
  const running = await db<RunRow[]>`
    select distinct on (r.audio_clip_id) ${runColumns(db, partsOfSummary)}
    from caption_runs r join audio_clips c on c.key = r.audio_clip_id
    where r.audio_clip_id = any(${others}::bigint[]) and ${isRunning(db)}
    order by r.audio_clip_id, r.heard_until_ms desc`;
  return [
    ...captions,
    ...running.map(({ parts, ...facts }) => ({
      ...facts,
      transcript: transcriptOf(parts.flat()).slice(0, summaryLength),
    })),
  ];
}

export async function listVersions(db: Db, clipID: number): Promise<CaptionVersion[]> {
  return db<CaptionVersion[]>`
    select v.version, v.origin, v.transcript, v.language, v.is_language_known as "isLanguageKnown",
      v.engine_name as "engineName", v.engine_version as "engineVersion", v.is_timed as "isTimed",
      v.based_on as "basedOn", v.created_by as "createdBy", v.creation_date as "creationDate",
      v.version = p.version as "isCurrent"
    from captions p join caption_versions v on v.audio_clip_id = p.audio_clip_id
    join audio_clips c on c.key = p.audio_clip_id
    where p.audio_clip_id = ${clipID} and not ${isOfFormerSound(db)} order by v.version desc`;
}

/** A complete version, as it is stored. */
export interface StoredVersion {
  readonly version: number;
  readonly origin: 'engine' | 'hand';
  readonly transcript: string;
  readonly segments: readonly StoredSegment[];
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
    select ${versionColumns(db)} from caption_versions v join audio_clips c on c.key = v.audio_clip_id
    where v.audio_clip_id = ${clipID} and v.version = ${version} and not ${isOfFormerSound(db)}`;
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
