import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { MeasuredSound } from '../../platform/media/measure/measured-sound.ts';

/*
 * The life of the facts of a clip.
 *
 *   the clip gets sound ──► a note in clips_to_measure ──► measured: the facts, without the note, in one statement
 *   other sound, or none ──► the facts are removed by a trigger (migration 0057); other sound puts a note
 *   retention, status 5  ──► the facts stay
 *
 * Facts are stored with the clip locked, and only if it still has the file that was measured.
 */

/** What was measured; only a fault if the sound could not be. */
export interface Facts extends Partial<MeasuredSound> {
  readonly speechMs?: number | undefined;
  readonly fault?: string | undefined;
}

/** How much later clips are measured that will be captioned, because captioning measures them. */
export const captionedWithin = '1 hour';

/**
 * Part of a statement: notes clips that got their sound. `clips` is a query for `clipID` and `isDue`, whether the clip
 * will be captioned.
 */
export const noteClipsToMeasure = (db: Db, clips: Fragment): Fragment => db`
  insert into clips_to_measure as n (audio_clip_id, due_date)
  select s."clipID", case when s."isDue" then now() + ${captionedWithin}::interval else now() end from (${clips}) s
  order by s."clipID"
  on conflict (audio_clip_id) do update set due_date = excluded.due_date, held_until = null, attempts = 0`;

/** Stores the facts of a file and removes the note, unless the clip has another file by now. Returns whether it did. */
export async function storeFacts(db: Db, clipID: number, fileID: number, facts: Facts): Promise<boolean> {
  const { fault, soundMs, levelDb, peakDb, clippedPercent, isDigitalSilence, repeatedMs, speechMs } = facts;
  const rows = await db`
    with clip as (
      select c.key from audio_clips c where c.key = ${clipID} and c.file_id = ${fileID} for no key update),
    noted as (delete from clips_to_measure n using clip where n.audio_clip_id = clip.key)
    insert into clip_facts as m (audio_clip_id, file_id, fault, sound_ms, level_db, peak_db, clipped_percent,
      is_digital_silence, repeated_ms, speech_ms)
    select clip.key, ${fileID}, ${fault ?? null}, ${soundMs ?? null}, ${levelDb ?? null}, ${peakDb ?? null},
      ${clippedPercent ?? null}, ${isDigitalSilence ?? null}, ${repeatedMs ?? null}, ${speechMs ?? null}
    from clip
    on conflict (audio_clip_id) do update set file_id = excluded.file_id, fault = excluded.fault,
      sound_ms = excluded.sound_ms, level_db = excluded.level_db, peak_db = excluded.peak_db,
      clipped_percent = excluded.clipped_percent, is_digital_silence = excluded.is_digital_silence,
      repeated_ms = excluded.repeated_ms,
      speech_ms = coalesce(excluded.speech_ms, case when m.file_id = excluded.file_id then m.speech_ms end),
      measured_date = now()
    returning 1`;
  return rows.length > 0;
}

/** The present sound of a clip. */
export interface ClipToMeasure {
  readonly clipID: number;
  readonly fileID: number;
  readonly storageName: string;
}

/** Undefined if the clip is gone or its sound is not here. */
export async function findClipToMeasure(db: Db, clipID: number): Promise<ClipToMeasure | undefined> {
  const [row] = await db<ClipToMeasure[]>`
    select c.key as "clipID", c.file_id as "fileID", f.storage_name as "storageName"
    from audio_clips c join files f on f.key = c.file_id
    where c.key = ${clipID} and c.audio_clip_status = ${audioClipStatus.available}`;
  return row;
}

export interface TakenNote {
  readonly clipID: number;
  readonly attempts: number;
}

/**
 * Takes the note that waits longest, for a time. Clips that will be captioned are taken early only while no node can
 * caption.
 */
export async function takeNote(db: Db, leaseSeconds: number): Promise<TakenNote | undefined> {
  const [row] = await db<TakenNote[]>`
    update clips_to_measure n set attempts = n.attempts + 1, held_until = now() + make_interval(secs => ${leaseSeconds})
    where n.audio_clip_id = (
      select w.audio_clip_id from clips_to_measure w
      where w.due_date <= (
          select case when exists (
              select 1 from listening_nodes l
              where l.state in ('ready', 'preparing') and l.heard_date > now() - interval '1 minute')
            then now() else now() + ${captionedWithin}::interval end)
        and (w.held_until is null or w.held_until < now())
      order by w.due_date limit 1 for update skip locked)
    returning n.audio_clip_id as "clipID", n.attempts`;
  return row;
}

export async function renewNote(db: Db, clipID: number, leaseSeconds: number): Promise<void> {
  await db`
    update clips_to_measure set held_until = now() + make_interval(secs => ${leaseSeconds})
    where audio_clip_id = ${clipID} and held_until is not null`;
}

/** Lets the note be taken again after a time. */
export async function postponeNote(db: Db, clipID: number, afterSeconds: number): Promise<void> {
  await db`
    update clips_to_measure set held_until = now() + make_interval(secs => ${afterSeconds})
    where audio_clip_id = ${clipID} and held_until is not null`;
}

/** Removes the note of a clip that is gone or whose sound is not here. */
export async function removeNote(db: Db, clipID: number): Promise<void> {
  await db`
    delete from clips_to_measure n where n.audio_clip_id = ${clipID} and not exists (
      select 1 from audio_clips c where c.key = n.audio_clip_id and c.audio_clip_status = ${audioClipStatus.available})`;
}
