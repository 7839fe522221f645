import { randomUUID } from 'node:crypto';
import type { DevicePageFilter, DeviceRow, DeviceSort } from '@earshot/contract/device-page';
import { deviceSorts } from '@earshot/contract/device-page';
import { mostRowsCounted } from '@earshot/contract/sorted-page';
import type { Person } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDevice, refusedWith } from '../../../event/tests/fleet.ts';
import { refreshSummaries } from '../refresh.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function page(person: Person, body: DevicePageFilter = {}) {
  return person.session.listDevicePage({ body });
}

/** The row of a device, as soon as it is as expected. */
const rowOf = (person: Person, deviceID: number) => async (): Promise<Partial<DeviceRow> | undefined> => {
  const { results } = await page(person, { deviceIDList: [deviceID] });
  return results[0];
};

const epoch = () => Math.floor(Date.now() / 1_000);

test('a recorder without an agent sends recordings, then is silent; an agent makes it online, and silent after it', async () => {
  const person = await server.addPerson();
  const { deviceID, deviceSerial } = await addDevice(person.session);
  const row = rowOf(person, deviceID);
  expect(await row()).toMatchObject({
    state: 'neverHeard',
    clipsToday: 0,
    collections: [],
    mayWrite: true,
    mayOwn: true,
  });

  const startTime = epoch() - 60;
  await person.session.announceAudioClips({
    params: { deviceSerial },
    body: [{ startTime, clipLengthInSeconds: 10 }],
  });
  const lastSoundDate = new Date(startTime * 1_000).toISOString();
  await expect.poll(row).toMatchObject({ state: 'sendsRecordings', lastSoundDate });
  expect(await row()).not.toHaveProperty('lastContactDate');

  // A day later.
  await server.db`update audio_clips set creation_date = creation_date - interval '1 day' where device_id = ${deviceID}`;
  await server.db`update device_summaries set arrival_ms = arrival_ms - 86400000 where device_id = ${deviceID}`;
  expect(await row()).toMatchObject({ state: 'silent', lastSoundDate });

  await person.session.registerAgent({ body: { deviceSerial, agentType: 'Audio', agentVersion: '2.4.1' } });
  await expect.poll(row).toMatchObject({ state: 'online', softwareVersion: '2.4.1' });

  const recorded = await person.session.listDevicePage({ body: { deviceIDList: [deviceID], withStates: true } });
  expect(recorded.stateCounts).toEqual([{ state: 'online', count: 1 }]);

  // Its agent went away: what it sent before that does not make it a recorder without one.
  await server.db`update agents set last_heard_from_date = now() - interval '10 minutes' where device_id = ${deviceID}`;
  await server.db`update online_devices set until = now() where device_id = ${deviceID}`;
  await expect.poll(row).toMatchObject({ state: 'silent' });
});

test('the health, the clock and the clips of today are those of the device', async () => {
  const person = await server.addPerson();
  const { deviceID, deviceSerial } = await addDevice(person.session, { timeZone: 'Pacific/Auckland' });
  const health = { time: { datetime: Date.now() + 90_000 }, battery: { percent: 17 }, disk: { percent: 93 } };
  await person.session.createDeviceHealth({ body: { deviceSerial, healthJSON: JSON.stringify(health) } });
  const row = rowOf(person, deviceID);
  await expect.poll(row).toMatchObject({ batteryPercent: 17, diskUsedPercent: 93 });
  expect((await row())?.clockErrorSeconds).toBeGreaterThan(60);

  const localDay = (atMs: number) => new Date(atMs).toLocaleDateString('en', { timeZone: 'Pacific/Auckland' });
  const starts = Array.from({ length: 30 }, (_, hour) => epoch() - hour * 3_600);
  await person.session.announceAudioClips({
    params: { deviceSerial },
    body: starts.map((startTime) => ({ startTime, clipLengthInSeconds: 1 })),
  });
  const clipsToday = starts.filter((start) => localDay(start * 1_000) === localDay(Date.now())).length;
  await expect.poll(row).toMatchObject({ clipsToday });
  // The day ends.
  await server.db`update device_summaries set day_end = now() - interval '1 second' where device_id = ${deviceID}`;
  expect(await row()).toMatchObject({ clipsToday: 0 });
  await expect.poll(row).toMatchObject({ clipsToday });
});

/** Devices with equal, different and missing values of everything that lists are sorted by. */
async function addVaried(person: Person, count: number): Promise<number[]> {
  const keys: number[] = [];
  for (let at = 0; at < count; at += 1) {
    keys.push((await addDevice(person.session, { deviceName: `${'bB'[at % 2]}${at % 7} "ü'` })).deviceID);
  }
  await refreshSummaries(server.db);
  await server.db`
    update device_summaries set contact_ms = case when device_id % 3 > 0 then device_id % 4 end,
      sound_ms = case when device_id % 4 > 0 then device_id % 3 end, clips_today = device_id % 5,
      battery_percent = case when device_id % 2 > 0 then device_id % 6 + 0.3 end,
      disk_used_percent = case when device_id % 5 > 1 then 50 end,
      clock_error_ms = case when device_id % 4 > 1 then (device_id % 7 - 3) * 1000 end,
      software_version = case when device_id % 3 > 1 then '2.' || device_id % 2 end
    where device_id = any(${keys}::bigint[])`;
  return keys;
}

type Value = string | number | undefined;

const valueOf: Readonly<Record<DeviceSort, (row: DeviceRow) => Value>> = {
  deviceName: ({ deviceName }) => deviceName.toLowerCase(),
  creationDate: ({ creationDate }) => creationDate,
  lastContactDate: () => undefined,
  lastSoundDate: ({ lastSoundDate }) => lastSoundDate,
  clipsToday: ({ key }) => key % 5,
  batteryPercent: ({ batteryPercent }) => batteryPercent,
  diskUsedPercent: ({ diskUsedPercent }) => diskUsedPercent,
  clockErrorSeconds: ({ clockErrorSeconds }) =>
    clockErrorSeconds === undefined ? undefined : Math.abs(clockErrorSeconds),
  softwareVersion: ({ softwareVersion }) => softwareVersion,
};

test('every order gives every device once, in pages of any size, those without the value last', async () => {
  const person = await server.addPerson();
  const keys = await addVaried(person, 40);
  for (const sortBy of deviceSorts) {
    for (const order of ['asc', 'desc'] as const) {
      const rows: DeviceRow[] = [];
      let cursor: string | undefined;
      do {
        const given = { sortBy, order, count: 7, ...(cursor === undefined ? {} : { cursor }) };
        const answer = await page(person, given);
        expect(answer).toMatchObject({ total: keys.length, isExact: true });
        rows.push(...answer.results);
        cursor = answer.next;
      } while (cursor !== undefined);
      const name = `${sortBy} ${order}`;
      expect(
        rows.map(({ key }) => key).toSorted((a, b) => a - b),
        name,
      ).toEqual(keys);
      if (sortBy === 'lastContactDate') continue;
      const sign = order === 'asc' ? 1 : -1;
      const compare = (a: DeviceRow, b: DeviceRow) => {
        const [left, right] = [valueOf[sortBy](a), valueOf[sortBy](b)];
        if (left === right) return sign * (a.key - b.key);
        if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
        return left < right ? -sign : sign;
      };
      const expected = rows.toSorted(compare);
      expect(
        rows.map(({ key }) => key),
        name,
      ).toEqual(expected.map(({ key }) => key));
    }
  }
});

test('filters narrow the list and its count', async () => {
  const person = await server.addPerson();
  const name = `yard ${randomUUID()}`;
  const { deviceID } = await addDevice(person.session, { deviceName: name });
  const other = await addDevice(person.session, { deviceDescription: '100 % quiet_place' });
  const { key: collectionID = 0 } = await person.session.createCollection({ body: { collectionName: 'Pier' } });
  await person.session.addCollectionItem({
    params: { collectionItemID: collectionID },
    body: { itemType: 'device', itemID: deviceID },
  });
  const keysOf = async (given: DevicePageFilter) => {
    const { results, total } = await page(person, given);
    expect(total).toBe(results.length);
    return results.map(({ key }) => key);
  };
  expect(await keysOf({ searchText: name.toUpperCase() })).toEqual([deviceID]);
  expect(await keysOf({ searchText: '% quiet_' })).toEqual([other.deviceID]);
  expect(await keysOf({ collectionIDList: [collectionID] })).toEqual([deviceID]);
  expect(await keysOf({ stateList: ['online', 'silent'] })).toEqual([]);
  expect(await keysOf({ stateList: ['neverHeard'], sortBy: 'creationDate' })).toEqual([deviceID, other.deviceID]);
  expect(await keysOf({ mostBatteryPercent: 100 })).toEqual([]);
  expect((await page(person, { deviceIDList: [deviceID] })).results[0]?.collections).toEqual([
    { collectionID, collectionName: 'Pier' },
  ]);
});

test('a person sees own and shared devices, and of their collections those that they may read', async () => {
  const [owner, member, stranger] = [await server.addPerson(), await server.addPerson(), await server.addPerson()];
  const { deviceID } = await addDevice(owner.session);
  const { key: shared = 0 } = await owner.session.createCollection({ body: { collectionName: 'Shared' } });
  const { key: hidden = 0 } = await owner.session.createCollection({ body: { collectionName: 'Hidden' } });
  const add = (collectionItemID: number, itemType: 'device' | 'user', itemID: number) =>
    owner.session.addCollectionItem({ params: { collectionItemID }, body: { itemType, itemID } });
  await add(shared, 'device', deviceID);
  await add(hidden, 'device', deviceID);
  await add(shared, 'user', member.userID);
  const [row] = (await page(member)).results;
  expect(row).toMatchObject({
    key: deviceID,
    mayWrite: false,
    mayOwn: false,
    collections: [{ collectionID: shared, collectionName: 'Shared' }],
  });
  expect((await page(member, { collectionIDList: [hidden] })).results).toEqual([]);
  expect(await page(stranger)).toEqual({ results: [], total: 0, isExact: true });
  expect((await page(server.admin, { deviceIDList: [deviceID] })).results[0]).toMatchObject({ mayOwn: true });
});

test('a list is counted to ten thousand, and no further', async () => {
  const person = await server.addPerson();
  const add = (count: number) => server.db`
    insert into devices (user_id, device_name, device_serial)
    select ${person.userID}, 'n', gen_random_uuid()::text from generate_series(1, ${count}::int)`;
  await add(mostRowsCounted);
  expect(await page(person, { count: 1 })).toMatchObject({ total: mostRowsCounted, isExact: true });
  await add(1);
  expect(await page(person, { count: 1 })).toMatchObject({ total: mostRowsCounted, isExact: false });
});

test('a cursor of another list is refused', async () => {
  const person = await server.addPerson();
  await addVaried(person, 3);
  const { next = '' } = await page(person, { count: 1 });
  const forged = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  for (const cursor of [
    'x',
    `${next}A`,
    forged(1, 'deviceName', 'a\0', 1),
    forged(1, 'deviceName', 7, 1),
    forged(1, 'deviceName', 'a', 1.5),
    forged(1, 'deviceName', 'a', '1'),
    forged(2, 'deviceName', 'a', 1),
  ]) {
    await expect(page(person, { cursor }), cursor).rejects.toEqual(refusedWith(400, /cursor/));
  }
  await expect(page(person, { cursor: next, sortBy: 'batteryPercent' })).rejects.toEqual(refusedWith(400, /cursor/));
  const huge = forged(1, 'lastSoundDate', 1e300, 1);
  await expect(page(person, { cursor: huge, sortBy: 'lastSoundDate' })).rejects.toEqual(refusedWith(400, /cursor/));
  expect((await page(person, { cursor: next })).results).toHaveLength(2);
});
