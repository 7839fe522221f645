import type { Client } from '@earshot/client/client';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, expect, test } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice } from '../../event/tests/fleet.ts';
import { say } from './speech.ts';

let server: SharedServer;
let client: Client;
let gate: Device;
let quay: Device;
beforeAll(async () => {
  server = await sharedTestServer();
  client = (await (await server.addPerson()).withKey()).client;
  [gate, quay] = [await addDevice(client), await addDevice(client)];
});

const day = 86_400;
const tag = async (audioClipID: number, tagName: string, timestamp?: number) =>
  (
    await client.createAudioClipTag({
      params: { audioClipID },
      body: { tagName, ...(timestamp === undefined ? {} : { timestamp }) },
    })
  ).tagID;

test('matches by device, by day of a time zone, and by tag', async () => {
  const first = await say(server.db, client, gate, 10 * day + 23 * 3600, 'an owl');
  const second = await say(server.db, client, gate, 11 * day + 3600, 'owls everywhere');
  const third = await say(server.db, client, quay, 11 * day + 7200, 'the owl again');
  await say(server.db, client, quay, 12 * day, 'nothing');
  const rain = await tag(first.key, 'rain');
  const night = await tag(first.key, 'night');
  for (const { key, startTime } of [second, third]) await tag(key, 'night', (startTime ?? 0) + 5);
  await tag(third.key, 'night');
  const names = await Promise.all(
    [gate, quay].map(async ({ deviceID }) => (await client.getDevice({ params: { deviceID } })).deviceName),
  );
  const facets = await client.searchCaptionFacets({ body: { searchText: 'OWL' } });
  expect(facets).toEqual({
    total: 3,
    isComplete: true,
    deviceList: [
      { deviceID: gate.deviceID, deviceName: names[0], count: 2 },
      { deviceID: quay.deviceID, deviceName: names[1], count: 1 },
    ],
    dayList: [
      { day: '1970-01-12', count: 2 },
      { day: '1970-01-11', count: 1 },
    ],
    tagList: [
      { tagID: night, tagName: 'night', count: 3 },
      { tagID: rain, tagName: 'rain', count: 1 },
    ],
  });
  const zurich = await client.searchCaptionFacets({ body: { searchText: 'owl', timeZone: 'Europe/Zurich' } });
  expect(zurich.dayList).toEqual([{ day: '1970-01-12', count: 3 }]);
  const tagged = await client.searchCaptionFacets({
    body: { searchText: 'owl', tagIDList: [rain ?? 0], deviceIDList: [gate.deviceID] },
  });
  expect(tagged).toMatchObject({ total: 1, deviceList: [{ deviceID: gate.deviceID, count: 1 }] });
});

test('without matches the counts are empty, and records of other people are not counted', async () => {
  const nothing = { total: 0, isComplete: true, deviceList: [], dayList: [], tagList: [] };
  expect(await client.searchCaptionFacets({ body: { searchText: 'xylophone' } })).toEqual(nothing);
  const { session } = await server.addPerson();
  expect(await session.searchCaptionFacets({ body: { searchText: 'owl' } })).toEqual(nothing);
  await expect(client.searchCaptionFacets({ body: { searchText: '!' } })).rejects.toMatchObject({ status: 400 });
  await expect(
    client.searchCaptionFacets({ body: { searchText: 'a', timeZone: 'Mars/Olympus' } }),
  ).rejects.toMatchObject({ status: 400 });
});
