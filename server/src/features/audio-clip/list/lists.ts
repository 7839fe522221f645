import type { AudioClipWithNames } from '@earshot/contract/audio-clip';
import type {
  AudioClipEpochAndCountFilter,
  DeviceEpochRange,
  DevicesEpochAndCountFilter,
} from '@earshot/contract/audio-clip-list';
import { defaultCount } from '@earshot/contract/values';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { requireDevice } from '../../../access.ts';
import type { StoredClip } from '../queries.ts';
import { listClips, listPage, noMoreColumns } from './queries.ts';
import { clipNames } from './name-queries.ts';
import { readList, readRange } from './filter.ts';
import { timesShown } from '../times.ts';
import { requireDeviceNamed } from '../../device/public.ts';

const pageLength = 1_000;

interface Order {
  readonly count?: number | undefined;
  readonly order?: string | undefined;
}

export const readOrder = ({ count, order }: Order) => ({
  count: count || defaultCount,
  ascending: order?.toLowerCase() === 'asc',
});

export async function findClips(
  db: Db,
  caller: Caller,
  given: AudioClipEpochAndCountFilter,
  allDevices: boolean,
): Promise<AudioClipWithNames[]> {
  const deviceID = (!allDevices && given.deviceID) || undefined;
  const filter = {
    devices: deviceID,
    ...readRange(given),
    ...readOrder(given),
    typeID: given.audioClipTypeID,
    tagIDs: readList(given.tagList),
  };
  const clips = await listClips<StoredClip & AudioClipWithNames>(db, caller, filter, clipNames);
  // Only an empty result needs a second query, which checks whether the caller may read the device.
  if (clips.length === 0 && deviceID) await requireDevice(db, caller, 'read', deviceID);
  return clips;
}

export function findClipsOfDevices(db: Db, caller: Caller, given: DevicesEpochAndCountFilter): Promise<StoredClip[]> {
  const filter = { devices: readList(given.deviceIDList), ...readRange(given), ...readOrder(given) };
  return listClips(db, caller, filter, noMoreColumns);
}

/** All clips of the range, read page by page: a day may have a hundred thousand. */
export async function* extractClips(
  db: Db,
  caller: Caller,
  given: DeviceEpochRange,
): AsyncGenerator<readonly StoredClip[]> {
  const range = readRange(given);
  const { deviceSerial } = given;
  const deviceID = await requireDeviceNamed(db, caller, 'read', { deviceSerial });
  let after = { startMs: -1, key: 0 };
  for (;;) {
    const clips = await listPage(db, caller, { deviceID, ...range, after, count: pageLength });
    yield clips;
    const last = clips.at(-1);
    if (!last || clips.length < pageLength) return;
    after = { startMs: timesShown(last).startMs, key: last.key };
  }
}
