import type { Client } from '@earshot/client/client';
import type { FleetClipsFilter } from '@earshot/contract/audio-clip-fleet';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countFleet } from '@earshot/server/features/audio-clip/list/fleet-queries';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice, refusedWith } from '../../event/tests/fleet.ts';
import { explain, faultsOf, openCapturing } from './plans.ts';
import { announceAll } from './recordings.ts';

const day = 86_400;
const start = 1_794_700_800;

let server: TestServer;
let client: Client;
let devices: Device[];
let ferries: number;
beforeAll(async () => {
  server = await startTestServer();
  client = server.admin.session;
  devices = [];
  for (const deviceName of ['Mole', 'Gate', 'Pond']) {
    const device = await addDevice(client);
    await client.updateDevice({ params: { deviceID: device.deviceID }, body: { deviceName } });
    devices.push(device);
  }
  const [mole, gate] = devices as [Device, Device];
  await announceAll(
    client,
    mole,
    [0, 1, day - 1, 2 * day].map((at) => ({ startTime: start + at })),
  );
  await announceAll(client, gate, [{ startTime: start + day }, { startTime: start - 1 }]);
  const collection = async (collectionName: string, items: readonly Device[]) => {
    const { key = 0 } = await client.createCollection({ body: { collectionName } });
    const params = { collectionItemID: key };
    for (const { deviceID } of items)
      await client.addCollectionItem({ params, body: { itemType: 'device', itemID: deviceID } });
    return key;
  };
  ferries = await collection('Ferries', [mole, gate]);
  await collection('All', [mole]);
});
afterAll(() => server.stop());

const list = async (more: Partial<FleetClipsFilter> = {}, by = client) =>
  by.countFleetClips({ body: { startEpoch: start, bucketSeconds: day, bucketCount: 3, ...more } });
const written = async (more: Partial<FleetClipsFilter> = {}, by = client) =>
  (await list(more, by)).results.map(
    ({ collectionName = '-', deviceName, counts }) => `${collectionName} ${deviceName} ${counts.join(' ')}`,
  );

test('rows are grouped by collection and have the clips that begin in each bucket; the rest comes last', async () => {
  expect(await written()).toEqual(['All Mole 3 0 1', 'Ferries Gate 0 1 0', 'Ferries Mole 3 0 1', '- Pond 0 0 0']);
  expect(await list()).toMatchObject({ total: 4 });
});

test('rows are read in parts, of a collection, and by a part of the name', async () => {
  expect(await written({ offset: 1, count: 2 })).toEqual(['Ferries Gate 0 1 0', 'Ferries Mole 3 0 1']);
  expect(await list({ offset: 1, count: 2 })).toMatchObject({ total: 4 });
  expect(await written({ collectionID: ferries })).toEqual(['Ferries Gate 0 1 0', 'Ferries Mole 3 0 1']);
  expect(await written({ searchText: 'pon' })).toEqual(['- Pond 0 0 0']);
  expect(await written({ searchText: '%' })).toEqual([]);
});

test('people see the devices and collections that they may read', async () => {
  const person = await server.addPerson();
  expect(await list({}, person.session)).toMatchObject({ total: 0, results: [] });
  await expect(list({ collectionID: ferries }, person.session)).rejects.toEqual(refusedWith(404));
  const params = { collectionItemID: ferries };
  await client.addCollectionItem({ params, body: { itemType: 'user', itemID: person.userID } });
  expect(await written({}, person.session)).toEqual(['Ferries Gate 0 1 0', 'Ferries Mole 3 0 1']);
});

test('wrong values are refused with the name of the field', async () => {
  await expect(list({ bucketCount: 201 })).rejects.toEqual(refusedWith(400, /bucketCount/));
  await expect(list({ count: 151 })).rejects.toEqual(refusedWith(400, /count/));
});

test('clips are counted along the index of each device', async () => {
  const { db, sent } = openCapturing(server.databaseUrl);
  const explaining = openCapturing(server.databaseUrl).db;
  await server.db`
    insert into audio_clips (device_id, start_ms, end_ms, audio_clip_status, audio_clip_type_id)
    select ${devices[0]?.deviceID ?? 0}, ${start}::bigint * 1000 + n * 10000 + 300, ${start}::bigint * 1000 + n * 10000 + 5300, 0, 0
    from generate_series(1, 20000) n`;
  await server.db`vacuum analyze audio_clips`;
  const caller = { userID: server.admin.userID, role: 'admin', credential: 'test' } as const;
  const of = { startMs: start * 1_000, bucketMs: day * 1_000, buckets: 3, collectionID: undefined, searchText: '' };
  const { results } = await countFleet(db, caller, { ...of, offset: 0, rows: 10, limit: 50 });
  expect(results[0]?.counts).toEqual([50, 50, 50]);
  const statement = sent.find(({ text }) => text.includes('with fleet'));
  const { plan, lines } = await explain(explaining, statement!, 'custom');
  expect(faultsOf(plan, 2_000), lines).toEqual([]);
});
