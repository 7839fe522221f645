import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import { requireValue } from '../../platform/database/stored.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';
import { titleOfClip } from '../audio-clip/public.ts';
import { devicesWithLengths } from '../device/public.ts';

/** The fields of a clip that joining needs. */
export interface JoinableClip {
  readonly key: number;
  readonly startMs: number;
  readonly endMs: number | null;
  readonly fileID: number | null;
  readonly isAvailable: boolean;
  readonly storageName: string | null;
  readonly fileSize: number | null;
  readonly sha256: string | null;
}

const columns = (db: Db) => db`
  c.key, c.start_ms as "startMs", c.end_ms as "endMs", c.file_id as "fileID", f.storage_name as "storageName",
  f.file_size as "fileSize", f.sha256_hash as sha256, c.audio_clip_status = ${audioClipStatus.available} and coalesce(f.file_status, 0) = 1 as "isAvailable"`;

/** The given clips that belong to the device, in time order. */
export const findJoinableClips = (db: Db, deviceID: number, keys: readonly number[]): Promise<JoinableClip[]> =>
  findNamed(db, db`${deviceID}`, keys);

/** The given clips that belong to the device which the event has now, in time order. */
export const findClipsOfEvent = (db: Db, eventID: number, keys: readonly number[]): Promise<JoinableClip[]> =>
  findNamed(db, db`(select e.device_id from events e where e.key = ${eventID})`, keys);

async function findNamed(db: Db, deviceID: Fragment, keys: readonly number[]): Promise<JoinableClip[]> {
  return db<JoinableClip[]>`
    select ${columns(db)} from audio_clips c left join files f on f.key = c.file_id
    where c.key = any(${keys as number[]}::bigint[]) and c.device_id = ${deviceID}
    order by c.start_ms, c.key`;
}

export interface RangeOfClips {
  readonly deviceID: number;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  readonly onlyHere: boolean;
  readonly most: number;
}

/**
 * The device's clips that overlap the range, in time order. Reads back from the range by the length of its longest
 * clip.
 */
export async function findClipsOfRange(db: Db, range: RangeOfClips): Promise<JoinableClip[]> {
  const { deviceID, fromMs, toMs } = range;
  const overlaps =
    fromMs === undefined
      ? db``
      : db`and c.start_ms >= ${fromMs}::bigint - d.longest_clip_ms
        and (c.start_ms >= ${fromMs}::bigint or c.end_ms > ${fromMs}::bigint)`;
  return db<JoinableClip[]>`
    select ${columns(db)}
    from ${devicesWithLengths(db, db`d.key = ${deviceID}`)} join audio_clips c on c.device_id = d.key left join files f on f.key = c.file_id
    where true
      ${toMs === undefined ? db`` : db`and c.start_ms < ${toMs}`}
      ${overlaps}
      ${range.onlyHere ? db`and c.audio_clip_status = ${audioClipStatus.available} and f.file_status = 1` : db``}
    order by c.start_ms, c.key limit ${range.most}`;
}

/** The texts of an event that joined clips of the device. */
export async function findJoinEvent(db: Db, deviceID: number, eventID: number) {
  const [row] = await db<{ eventParameters: string; result: string | null }[]>`
    select e.event_parameters as "eventParameters", e.result
    from events e join event_types t on t.key = e.event_type_id
    where e.key = ${eventID} and e.device_id = ${deviceID} and t.event_type_name = 'Concatenate_audio_clips'`;
  return row;
}

/** The title of the earliest of these clips; undefined if it has none, or none is left that the caller may read. */
export async function findTitleOfFirst(
  db: Db,
  caller: Caller,
  deviceID: number,
  keys: readonly number[],
): Promise<string | undefined> {
  const [row] = await db<{ title: string | null }[]>`
    select ${titleOfClip(db)} as title from audio_clips c join devices d on d.key = c.device_id
    where c.key = any(${keys as number[]}::bigint[]) and c.device_id = ${deviceID} and ${deviceRight(db, caller, 'read')}
    order by c.start_ms, c.key limit 1`;
  return row?.title ?? undefined;
}

/** The database's time, which decides when events expire. */
export async function readDatabaseEpoch(db: Db): Promise<number> {
  const [row] = await db<{ epoch: number }[]>`select floor(extract(epoch from now()))::bigint as epoch`;
  return requireValue(row, 'the time of the database').epoch;
}
