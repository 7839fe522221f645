import { randomUUID } from 'node:crypto';
import type { Client } from '@earshot/client/client';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addCollection, addDevice as addDeviceOf } from '../../../../../tests/access/places.ts';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice, refusedWith } from '../../event/tests/fleet.ts';
import { announce, announceAll, readClip } from './recordings.ts';

let server: SharedServer;
let client: Client;
let device: Device;
beforeAll(async () => {
  server = await sharedTestServer();
});
beforeEach(async () => {
  client = (await (await server.addPerson()).withKey()).client;
  device = await addDevice(client, { deviceName: 'North gate' });
});

test('a list shows each clip with the name of its device and its distinct tags', async () => {
  const clip = await announce(client, device, { startTime: 100, clipLengthInSeconds: 60 });
  const params = { audioClipID: clip.key };
  // Used by this test only, so that the first tag is the older one.
  const tagName = `rain ${randomUUID()}`;
  const first = await client.createAudioClipTag({ params, body: { tagName } });
  await client.createAudioClipTag({ params, body: { tagName: tagName.toUpperCase(), timestamp: 120 } });
  const second = await client.createAudioClipTag({ params, body: { tagName: `dog ${randomUUID()}` } });
  const [listed, ...others] = await client.listAudioClips({ body: { deviceID: device.deviceID } });
  expect(others).toEqual([]);
  expect(listed).toEqual({
    ...(await readClip(client, clip)),
    deviceName: 'North gate',
    tagList: (await client.listTags()).toSorted((a, b) => (a.key ?? 0) - (b.key ?? 0)),
  });
  expect(listed?.tagList.map(({ key }) => key)).toEqual([first.tagID, second.tagID]);
  expect(listed?.tagList[0]?.creationDate).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('the other lists show each clip as its own record', async () => {
  const clip = await announce(client, device, { startTime: 100, clipLengthInSeconds: 60 });
  expect(await client.listAudioClipsOfDevices({ body: {} })).toEqual([clip]);
  expect(await client.extractAudioClips({ body: { deviceSerial: device.deviceSerial } })).toEqual([clip]);
});

test('a list has a hundred clips by default, and a thousand at most', async () => {
  await announceAll(
    client,
    device,
    Array.from({ length: 150 }, (_, startTime) => ({ startTime })),
  );
  for (const count of [undefined, 0]) {
    const body = count === undefined ? {} : { count };
    expect(await client.listAudioClips({ body })).toHaveLength(100);
    expect(await client.listAudioClipsOfDevices({ body })).toHaveLength(100);
    expect((await client.listAudioClipsWithTags({ body })).audioClipList).toHaveLength(100);
  }
  expect((await client.listAudioClips({ body: { count: 1000 } })).map(({ startTime }) => startTime)).toEqual(
    Array.from({ length: 150 }, (_, index) => 149 - index),
  );
  await expect(client.listAudioClips({ body: { count: 1001 } })).rejects.toEqual(refusedWith(400));
});

test('all lists refuse a range whose end is before its start, and an unknown order', async () => {
  const wrong = { startEpoch: 5, endEpoch: 4 };
  const { deviceID, deviceSerial } = device;
  await expect(client.listAudioClips({ body: wrong })).rejects.toEqual(refusedWith(400));
  await expect(client.listAudioClipsOfDevices({ body: wrong })).rejects.toEqual(refusedWith(400));
  await expect(client.listAudioClipsWithTags({ body: wrong })).rejects.toEqual(refusedWith(400));
  await expect(client.extractAudioClips({ body: { deviceSerial, ...wrong } })).rejects.toEqual(refusedWith(400));
  await expect(client.getCoverage({ body: { deviceID, ...wrong } })).rejects.toEqual(refusedWith(400));
  await expect(client.listAudioClips({ body: { order: 'newest' } })).rejects.toEqual(refusedWith(400));
});

test('all clips of a range are extracted, for any number, and in order', async () => {
  const starts = Array.from({ length: 2500 }, (_, index) => 10 + index);
  for (let from = 0; from < starts.length; from += 1000) {
    await announceAll(
      client,
      device,
      starts.slice(from, from + 1000).map((startTime) => ({ startTime, clipLengthInSeconds: 1 })),
    );
  }
  // Two clips with the same start at the boundary of a page.
  await announceAll(
    client,
    device,
    starts.slice(995, 1005).map((startTime) => ({ startTime, audioClipTypeID: 1 })),
  );
  const all = await client.extractAudioClips({ body: { deviceSerial: device.deviceSerial } });
  expect(all).toHaveLength(2510);
  expect(all).toEqual(all.toSorted((a, b) => (a.startTime ?? 0) - (b.startTime ?? 0) || (a.key ?? 0) - (b.key ?? 0)));
  expect(new Set(all.map(({ key }) => key)).size).toBe(2510);
  const range = { startEpoch: 100, endEpoch: 2200 };
  expect(await client.extractAudioClips({ body: { deviceSerial: device.deviceSerial, ...range } })).toHaveLength(2110);
});

describe('a device that the caller may not read', () => {
  test('is not found when it is named, and matches nothing in a list of ids', async () => {
    const stranger = await server.addPerson();
    const other = await addDevice(stranger.session);
    const clip = await announce(client, device, { startTime: 1 });
    await announce(stranger.session, other, { startTime: 1 });
    for (const deviceID of [other.deviceID, 987_654_321]) {
      await expect(client.listAudioClips({ body: { deviceID } })).rejects.toEqual(refusedWith(404));
      await expect(client.getCoverage({ body: { deviceID, startEpoch: 0, endEpoch: 9 } })).rejects.toEqual(
        refusedWith(404),
      );
      const body = { deviceIDList: [deviceID] };
      expect(await client.listAudioClipsOfDevices({ body })).toEqual([]);
      expect((await client.listAudioClipsWithTags({ body })).audioClipList).toEqual([]);
      const both = { deviceIDList: [deviceID, device.deviceID, device.deviceID] };
      expect(await client.listAudioClipsOfDevices({ body: both })).toEqual([clip]);
    }
    const { deviceSerial } = other;
    await expect(client.extractAudioClips({ body: { deviceSerial } })).rejects.toEqual(refusedWith(404));
    expect(
      await client.listAudioClips({ query: { alldevices: true }, body: { deviceID: other.deviceID } }),
    ).toHaveLength(1);
    expect(await client.listAudioClips({ body: { deviceID: 0 } })).toHaveLength(1);
  });

  test('has an empty list if it is readable and has no clips', async () => {
    expect(await client.listAudioClips({ body: { deviceID: device.deviceID } })).toEqual([]);
  });

  test('appears with a share and disappears with it', async () => {
    const [owner, reader] = [await server.addPerson(), await server.addPerson()];
    const own = await addDeviceOf(owner);
    await announce(owner.session, { deviceID: own.key, deviceSerial: own.deviceSerial ?? '' }, { startTime: 1 });
    const key = await addCollection(owner, { members: [reader], devices: [own] });
    expect(await reader.session.listAudioClipsOfDevices({ body: {} })).toHaveLength(1);
    await owner.session.deleteCollection({ params: { collectionID: key } });
    expect(await reader.session.listAudioClipsOfDevices({ body: {} })).toEqual([]);
  });

  test('is any other device for a device key', async () => {
    const owner = await server.addPerson();
    const [own, other] = [await addDevice(owner.session), await addDevice(owner.session)];
    const clip = await announce(owner.session, own, { startTime: 1 });
    await announce(owner.session, other, { startTime: 1 });
    const { client: agent } = await owner.withKey({ deviceID: own.deviceID });
    expect(await agent.listAudioClipsOfDevices({ body: {} })).toEqual([clip]);
    expect(await agent.listAudioClipsOfDevices({ body: { deviceIDList: [other.deviceID] } })).toEqual([]);
    await expect(agent.listAudioClips({ body: { deviceID: other.deviceID } })).rejects.toEqual(refusedWith(404));
    await expect(announce(agent, other, { startTime: 2 })).rejects.toEqual(refusedWith(404));
    expect(await announce(agent, own, { startTime: 2 })).toMatchObject({ deviceID: own.deviceID });
    await expect(agent.deleteAudioClip({ params: { audioClipID: clip.key } })).rejects.toEqual(refusedWith(403));
  });
});

test('clips are not listed with GET', async () => {
  await expect(client.refuseClipList()).rejects.toEqual(refusedWith(501, /POST/));
});
