import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import { devicesWithLengths } from '../../device/public.ts';

/** The fields of a clip that captioning needs. */
export interface ClipSource {
  readonly clipID: number;
  readonly deviceID: number;
  readonly startMs: number;
  readonly isAvailable: boolean;
  readonly fileID: number | null;
  readonly storageName: string | null;
  /** The profile that its device has chosen; null: that of the installation. */
  readonly captionEngine: string | null;
  /** A call of a radio, or a clip of a device that records radio. */
  readonly isRadio: boolean;
  /** Whether its caption was made from this file, or the file of the caption is unknown. */
  readonly isCaptioned: boolean;
}

const isCaptioned = (db: Db): Fragment => db`
  exists (select 1 from captions p where p.audio_clip_id = c.key and coalesce(p.file_id, c.file_id) = c.file_id)`;

/** An available clip has an available file. */
const isAvailable = (db: Db): Fragment => db`c.audio_clip_status = ${audioClipStatus.available}`;

export async function findClipSource(db: Db, clipID: number): Promise<ClipSource | undefined> {
  const [row] = await db<ClipSource[]>`
    select c.key as "clipID", c.device_id as "deviceID", c.start_ms as "startMs",
      ${isAvailable(db)} as "isAvailable", c.file_id as "fileID", f.storage_name as "storageName",
      d.caption_engine as "captionEngine",
      d.is_radio or exists (select 1 from radio_calls r where r.audio_clip_id = c.key) as "isRadio", ${isCaptioned(db)} as "isCaptioned"
    from audio_clips c join devices d on d.key = c.device_id left join files f on f.key = c.file_id where c.key = ${clipID}`;
  return row;
}

export interface Backlog {
  readonly deviceID: number;
  readonly audioClips: readonly number[] | undefined;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  /** Include clips that have a caption, unless this event made it. */
  readonly again: boolean;
  readonly eventID: number;
}

export interface BacklogPosition {
  readonly startMs: number;
  readonly key: number;
}

interface Page {
  readonly keys: readonly number[];
  /** Unset if there are no more. */
  readonly next: BacklogPosition | undefined;
}

/**
 * Reads the next page of a device's clips, oldest first, and returns those that must be captioned, which may be none.
 */
export async function findBacklogPage(db: Db, backlog: Backlog, after: BacklogPosition, most: number): Promise<Page> {
  const { deviceID, audioClips, fromMs, toMs, eventID } = backlog;
  const reaches = db`
    and c.start_ms >= ${fromMs ?? 0}::bigint - d.longest_clip_ms
    and (c.start_ms >= ${fromMs ?? 0}::bigint or c.end_ms > ${fromMs ?? 0}::bigint)`;
  const isDone = backlog.again
    ? db`exists (select 1 from caption_versions v where v.audio_clip_id = c.key and v.event_id = ${eventID})`
    : isCaptioned(db);
  const rows = await db<{ startMs: number; key: number; isToCaption: boolean }[]>`
    select c.start_ms as "startMs", c.key, ${isAvailable(db)} and (not ${isDone} or exists (
        select 1 from label_orders o where o.audio_clip_id = c.key and o.event_id = ${eventID})) as "isToCaption"
    from ${devicesWithLengths(db, db`d.key = ${deviceID}`)} cross join lateral (
      select * from audio_clips c
      where c.device_id = d.key and (c.start_ms, c.key) > (${after.startMs}::bigint, ${after.key}::bigint)
        ${toMs === undefined ? db`` : db`and c.start_ms < ${toMs}::bigint`} ${fromMs === undefined ? db`` : reaches}
        ${audioClips ? db`and c.key = any(${audioClips as number[]}::bigint[])` : db``}
      order by c.start_ms, c.key limit ${most}) c
    order by c.start_ms, c.key`;
  const last = rows.at(-1);
  return {
    keys: rows.filter(({ isToCaption }) => isToCaption).map(({ key }) => key),
    next: rows.length === most && last ? { startMs: last.startMs, key: last.key } : undefined,
  };
}

/** The given keys that are clips of the device. */
export async function findClipsOf(db: Db, deviceID: number, keys: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await db<{ key: number }[]>`
    select key from audio_clips where key = any(${keys as number[]}::bigint[]) and device_id = ${deviceID}`;
  return new Set(rows.map(({ key }) => key));
}

const recentClips = 50;

/**
 * In how many of the latest clips of the device with a caption each language was spoken. Words that are not confirmed, and
 * speech without words, count for nothing.
 */
export async function countRecentLanguages(db: Db, deviceID: number): Promise<Readonly<Record<string, number>>> {
  const rows = await db<{ language: string; clips: number }[]>`
    select p.language, count(*)::int as clips from (
      select c.key from audio_clips c where c.device_id = ${deviceID} order by c.start_ms desc, c.key desc
      limit ${recentClips}) c
    join captions p on p.audio_clip_id = c.key
    where p.language is not null and p.is_language_known and p.transcript <> ''
    group by p.language`;
  return Object.fromEntries(rows.map(({ language, clips }) => [language, clips]));
}

/** Whether a clip that arrived so long ago still waits. Bulk requests, which have priority 0, may wait. */
export async function hasOldOrders(db: Db, seconds: number): Promise<boolean> {
  const rows = await db`
    select 1 from events e
    where e.event_type_id = (select key from event_types where event_type_name = 'Caption_audio')
      and e.event_status = 1 and e.server_event = 1 and e.priority > 0
      and e.creation_date < now() - make_interval(secs => ${seconds}) limit 1`;
  return rows.length === 1;
}
