import type { Db, Fragment, Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { EngineIdentity, TranscribedPart, Segment } from '../../../platform/listening/engine.ts';
import { recordChanges } from '../../../platform/changes/record-changes.ts';
import { cleanSegments } from '../segments.ts';

/*
 * The parts of a transcription in progress.
 *
 *   a run       one event transcribes one file of a clip with one version of an engine
 *   its parts   the segments so far, in order; added every few seconds, never changed
 *   its holder  the worker that continues it; a worker that claims the run takes it over, and parts of the former holder
 *               are refused
 *
 * The transaction that writes the version deletes the run. A run whose event has ended, or whose clip has another file, is
 * not shown, and the sweep deletes it.
 */

/** What is transcribed by what: a run continues only if all of this is the same. */
export interface RunKey {
  readonly clipID: number;
  readonly eventID: number;
  readonly fileID: number;
  readonly engine: EngineIdentity;
}

export interface HeardSoFar {
  readonly heardUntilMs: number;
  readonly language: string | undefined;
  readonly segments: readonly Segment[];
}

/** Takes over the run that an earlier attempt of the event began; undefined if there is none that can be continued. */
export async function claimRun(db: Db, run: RunKey, holder: string): Promise<HeardSoFar | undefined> {
  const { clipID, eventID, fileID, engine } = run;
  const [row] = await db<{ heardUntilMs: number; language: string | null }[]>`
    update caption_runs set holder = ${holder}
    where audio_clip_id = ${clipID} and event_id = ${eventID} and file_id = ${fileID}
      and engine_name = ${engine.name} and engine_version = ${engine.version}
    returning heard_until_ms as "heardUntilMs", language`;
  if (!row) return undefined;
  // After the update: the former holder can add no part any more.
  const parts = await db<{ segments: readonly Segment[] }[]>`
    select segments from caption_parts
    where audio_clip_id = ${clipID} and event_id = ${eventID} and until_ms <= ${row.heardUntilMs} order by until_ms`;
  return {
    heardUntilMs: row.heardUntilMs,
    language: row.language ?? undefined,
    segments: parts.flatMap(({ segments }) => segments),
  };
}

/** The version of the engine that began the run of this event; undefined if none did. */
export async function findRunVersion(
  db: Db,
  { clipID, eventID, fileID }: Omit<RunKey, 'engine'>,
): Promise<string | undefined> {
  const [row] = await db<{ version: string }[]>`
    select engine_version as version from caption_runs
    where audio_clip_id = ${clipID} and event_id = ${eventID} and file_id = ${fileID}`;
  return row?.version;
}

/** Stores the first part of a run, in place of a run that cannot be continued. Returns false if the clip is gone. */
export const beginRun = (db: Pool, run: RunKey, holder: string, part: TranscribedPart): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const { clipID, eventID, fileID, engine } = run;
    await removeRun(tx, clipID, eventID);
    const begun = await tx`
      insert into caption_runs (audio_clip_id, event_id, file_id, engine_name, engine_version, heard_until_ms, holder)
      select key, ${eventID}, ${fileID}, ${engine.name}, ${engine.version}, 0, ${holder}
      from audio_clips where key = ${clipID} and file_id = ${fileID} returning 1`;
    return begun.length > 0 && addPart(tx, run, holder, part);
  });

/** Adds what was transcribed since the last part. Returns false if another worker holds the run, or it was deleted. */
export async function addPart(
  db: Db,
  { clipID, eventID }: RunKey,
  holder: string,
  part: TranscribedPart,
): Promise<boolean> {
  const { untilMs, language = null } = part;
  const segments = JSON.stringify(cleanSegments(part.segments));
  const rows = await db`
    with held as (
      update caption_runs set heard_until_ms = ${untilMs}, language = coalesce(language, ${language}),
        last_modified_date = now()
      where audio_clip_id = ${clipID} and event_id = ${eventID} and holder = ${holder}
      returning audio_clip_id as key),
    added as (
      insert into caption_parts (audio_clip_id, event_id, until_ms, segments)
      select key, ${eventID}, ${untilMs}, ${segments}::text::jsonb from held
      on conflict (audio_clip_id, event_id, until_ms)
        do update set segments = caption_parts.segments || excluded.segments),
    shown as (
      select h.key, c.device_id from held h join audio_clips c on c.key = h.key
      where not exists (select 1 from captions p where p.audio_clip_id = h.key)),
    logged as (${recordChanges(db, { kind: 'caption', change: 'changed', rows: db`shown` })})
    select key from held`;
  return rows.length > 0;
}

export const removeRun = (db: Db, clipID: number, eventID: number): Promise<unknown> =>
  db`delete from caption_runs where audio_clip_id = ${clipID} and event_id = ${eventID}`;

/** Deletes the run of an event that failed, and tells people who see its words that the clip has changed. */
export const giveUpRun = (db: Db, clipID: number, eventID: number): Promise<unknown> => db`
  with gone as (
    delete from caption_runs r using audio_clips c
    where r.audio_clip_id = ${clipID} and r.event_id = ${eventID} and c.key = r.audio_clip_id
    returning r.audio_clip_id as key, c.device_id)
  ${recordChanges(db, { kind: 'audioclip', change: 'changed', rows: db`gone` })}`;

const isOpen = (db: Db, eventID: Fragment): Fragment =>
  db`exists (select 1 from events e where e.key = ${eventID} and e.event_status between 1 and 3)`;

/** Whether the run `r` of the clip `c` is in progress. */
export const isRunning = (db: Db): Fragment => db`(r.file_id = c.file_id and ${isOpen(db, db`r.event_id`)})`;

/** Deletes what was left by events that were cancelled, and by files that were replaced. */
export async function sweepRuns(db: Db): Promise<void> {
  await db`
    delete from caption_runs r using audio_clips c where c.key = r.audio_clip_id and not ${isRunning(db)}`;
  await db`delete from label_orders o where not ${isOpen(db, db`o.event_id`)}`;
}
