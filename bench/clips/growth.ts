import type { NewClip } from '@earshot/server/features/audio-clip/announce/insert-queries';
import { insertClips } from '@earshot/server/features/audio-clip/announce/insert-queries';
import { findClips, findClipsOfDevices } from '@earshot/server/features/audio-clip/list/lists';
import { findClipsWithTags } from '@earshot/server/features/audio-clip/list/with-tags';
import type { Db } from '@earshot/server/platform/database/connect';
import { inTransaction } from '@earshot/server/platform/database/connect';
import type { Caller } from '@earshot/server/platform/http/caller';
import { median } from '../http/load.ts';
import type { ServedClips } from './databases.ts';
import { clipsIn, newestStart } from './fill.ts';
import { findClip } from '@earshot/server/features/audio-clip/queries';

/** A database query without HTTP; its number of rows must not depend on the size of the database. */
export interface GrowthQuery {
  readonly name: string;
  /** The number of devices that it needs: sizes with fewer devices are skipped. */
  readonly devices: number;
  readonly callsPerSlice: number;
  ask(db: Db, caller: Caller, keys: Keys): Promise<number>;
}

/** The devices and some of the clips of a database. */
export interface Keys {
  readonly devices: readonly number[];
  readonly clips: readonly number[];
}

const count = 100;
const at = <Value>(list: readonly Value[], call: number): Value => list[call % list.length]!;

/** Distributed over all devices, so that a large database is read in many places. */
const some = ({ devices }: Keys, howMany: number, call: number): number[] => {
  const step = Math.max(1, Math.floor(devices.length / howMany));
  return Array.from({ length: howMany }, (_, index) => at(devices, call + index * step));
};

let calls = 0;
const next = (): number => (calls += 1);

const newestOf = (devices: number, callsPerSlice: number): GrowthQuery => ({
  name: `newest 100 of ${devices} devices`,
  devices,
  callsPerSlice,
  ask: async (db, caller, keys) => {
    const deviceIDList = some(keys, devices, next());
    return (await findClipsOfDevices(db, caller, { count, deviceIDList })).length;
  },
});

export const questions: readonly GrowthQuery[] = [
  {
    name: 'by id',
    devices: 1,
    callsPerSlice: 100,
    ask: async (db, caller, { clips }) => ((await findClip(db, caller, 'read', at(clips, next()))) ? 1 : 0),
  },
  {
    name: 'newest 100 of a device',
    devices: 1,
    callsPerSlice: 20,
    ask: async (db, caller, { devices }) =>
      (await findClips(db, caller, { count, deviceID: at(devices, next() * 7) }, false)).length,
  },
  newestOf(20, 20),
  newestOf(100, 10),
  newestOf(1000, 3),
  {
    name: 'tag aggregation of 20 devices',
    devices: 20,
    callsPerSlice: 10,
    ask: async (db, caller, keys) => {
      const body = { count, deviceIDList: some(keys, 20, next()), endEpoch: newestStart + 60 };
      return (await findClipsWithTags(db, caller, body, 100)).audioClipList.length;
    },
  },
  { name: 'createlist of 1,000', devices: 1, callsPerSlice: 1, ask: insertAndUndo },
];

/** Rolled back, so that every slice has the same table. */
async function insertAndUndo(db: Db, caller: Caller, { devices }: Keys): Promise<number> {
  const undo = new Error('rolled back');
  const startMs = newestStart * 1000 + 60_000;
  const clips = Array.from({ length: 1000 }, (_, index): NewClip => ({
    typeID: 0,
    talkgroup: 0,
    startMs: startMs + index * 60_000,
    endMs: startMs + index * 60_000 + 60_000,
    status: 0,
    fileID: null,
    fileSize: 960_044,
    bitrate: 256_000,
    tagListID: null,
    parameters: null,
    localFilePath: `/recordings/${startMs + index * 60_000}.flac`,
  }));
  let rows = 0;
  await inTransaction(db as never, async (tx) => {
    rows = (await insertClips(tx, caller, { deviceID: at(devices, next()) }, clips)).length;
    throw undo;
  }).catch((error: unknown) => {
    if (error !== undo) throw error;
  });
  return rows;
}

export async function clipKeysOf({ db, userID, size }: ServedClips): Promise<Keys> {
  const devices = await db<{ key: number }[]>`select key from devices where user_id = ${userID} order by key`;
  const [first] = await db<{ key: number }[]>`select min(key) as key from audio_clips`;
  // A step size that visits all pages of the table, and a different clip in each call.
  const clips = Array.from({ length: 997 }, (_, index) => (first?.key ?? 0) + ((index * 7_919_317) % clipsIn(size)));
  return { devices: devices.map(({ key }) => key), clips };
}

export interface Growth {
  readonly ratio: number;
  readonly figures: string;
}

/** The cost of a query in the largest database, as a ratio to the smallest one with enough devices. */
export async function compareGrowth(
  served: readonly ServedClips[],
  question: GrowthQuery,
  rounds: number,
): Promise<Growth | undefined> {
  const able = served.filter(({ size }) => size.devices >= question.devices);
  const [smallest, largest] = [able[0], able.at(-1)];
  if (!smallest || !largest || smallest === largest) return undefined;
  const costs = new Map(able.map((one) => [one, [] as number[]]));
  const keys = new Map<ServedClips, Keys>();
  for (const one of able) keys.set(one, await clipKeysOf(one));
  for (const one of able) await slice(one, question, keys.get(one)!);
  for (let round = 0; round < rounds; round++) {
    for (const one of able) costs.get(one)?.push(await slice(one, question, keys.get(one)!));
  }
  const [few, many] = [costs.get(smallest) ?? [], costs.get(largest) ?? []];
  const amounts = able.map((one) => {
    return `${median(costs.get(one) ?? []).toFixed(2)} ms with ${clipsIn(one.size).toLocaleString('en')}`;
  });
  return { ratio: median(many.map((cost, round) => cost / (few[round] ?? 0))), figures: amounts.join(', ') };
}

/** Milliseconds per call; all calls must return the same number of rows. */
async function slice({ db, userID }: ServedClips, question: GrowthQuery, keys: Keys): Promise<number> {
  const caller: Caller = { userID, role: 'member', credential: 'bench' };
  const rows = new Set<number>();
  const start = performance.now();
  for (let call = 0; call < question.callsPerSlice; call++) rows.add(await question.ask(db, caller, keys));
  const cost = (performance.now() - start) / question.callsPerSlice;
  if (rows.size !== 1 || rows.has(0)) throw new Error(`${question.name} brought ${[...rows].join(', ')} rows`);
  return cost;
}
