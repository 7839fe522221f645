import { deviceReaders } from '../../../access.ts';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Definition } from '../definition.ts';

/** One transaction of all nodes judges at a time, so that two clips that are stored at once do not miss each other. */
const engineLock = 0x72_75_6c_65;

export async function tryLockEngine(tx: Db): Promise<boolean> {
  const [row] = await tx<
    { isLocked: boolean }[]
  >`select pg_try_advisory_xact_lock(${engineLock}::int, 0) as "isLocked"`;
  return row?.isLocked ?? false;
}

/** A place in time at which a clip has changed. */
export interface ChangedPlace {
  readonly key: number;
  readonly audioClipID: number;
  readonly deviceID: number;
  readonly startMs: number;
  /** It waited when the backup was made that was restored. */
  readonly isRestored: boolean;
}

const isDue = (db: Db): Fragment => db`(again_date is null or again_date <= now())`;

export async function isAnythingChanged(db: Db): Promise<boolean> {
  return (await db`select 1 from clips_to_judge where ${isDue(db)} limit 1`).length > 0;
}

export async function findChangedPlaces(tx: Db, most: number): Promise<ChangedPlace[]> {
  return tx<ChangedPlace[]>`
    select key, audio_clip_id as "audioClipID", device_id as "deviceID", start_ms as "startMs",
      is_restored as "isRestored"
    from clips_to_judge where ${isDue(tx)} order by key limit ${most}`;
}

/** When what failed is tried again. */
export const againMinutes = 10;

/** Puts the next place off, and returns its clip. */
export async function setAsidePlace(tx: Db): Promise<number | undefined> {
  const [row] = await tx<{ audioClipID: number }[]>`
    update clips_to_judge set again_date = now() + make_interval(mins => ${againMinutes})
    where key = (select key from clips_to_judge where ${isDue(tx)} order by key limit 1)
    returning audio_clip_id as "audioClipID"`;
  return row?.audioClipID;
}

export const removePlaces = (tx: Db, keys: readonly number[]): Promise<unknown> =>
  tx`delete from clips_to_judge where key = any(${keys as number[]}::bigint[])`;

/** Another one if a rule was added, changed, switched on or off, or removed: 64 bits of the keys and versions of all. */
export async function findRulesMark(tx: Db): Promise<string> {
  const [row] = await tx<{ mark: string }[]>`
    select count(*) || ' ' || coalesce(bit_xor(hashint8extended(key, version)), 0) as mark from rules where is_enabled`;
  return row?.mark ?? '';
}

export async function listEnabledVersions(tx: Db): Promise<{ key: number; version: number }[]> {
  return tx`select key, version from rules where is_enabled`;
}

export async function findDefinitions(
  tx: Db,
  keys: readonly number[],
): Promise<{ key: number; userID: number | null; version: number; definition: Definition }[]> {
  return tx`
    select key, user_id as "userID", version, definition from rules where key = any(${keys as number[]}::bigint[])`;
}

/** Who may read a device now, and by what rules may name it. */
export interface WatchedDevice {
  readonly readers: ReadonlySet<number>;
  readonly collections: ReadonlySet<number>;
  /** Itself, and the devices that were merged into it. */
  readonly names: ReadonlySet<number>;
}

export async function loadWatchedDevices(
  tx: Db,
  deviceIDs: readonly number[],
): Promise<ReadonlyMap<number, WatchedDevice>> {
  const rows = await tx<
    { key: number; readers: number[]; admins: number[]; collections: number[]; merged: number[] }[]
  >`
    select d.key, ${deviceReaders(tx)} as readers, array(select u.key from users u where u.role = 'admin') as admins,
      array(select w.collection_id from collection_items w where w.device_id = d.key) as collections,
      array(select m.device_id from merged_devices m where m.into_id = d.key) as merged
    from devices d where d.key = any(${deviceIDs as number[]}::bigint[])`;
  return new Map(
    rows.map(({ key, readers, admins, collections, merged }) => [
      key,
      {
        readers: new Set([...readers, ...admins]),
        collections: new Set(collections),
        names: new Set([key, ...merged]),
      },
    ]),
  );
}
