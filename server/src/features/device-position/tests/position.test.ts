import type { Client } from '@earshot/client/client';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, expect, test } from 'vitest';
import { addDevice, refusedWith } from '../../event/tests/fleet.ts';

let client: Client;
beforeAll(async () => {
  const server = await sharedTestServer();
  client = (await (await server.addPerson()).withKey()).client;
});

const nowMs = () => Date.now() - 60_000;
const report = (deviceSerial: string, latitude: number, datetime: number) =>
  client.createDeviceHealth({
    body: {
      deviceSerial,
      healthJSON: JSON.stringify({ gps: { latitude, longitude: 8, accuracy: 3 }, time: { datetime } }),
    },
  });
const positionOf = (deviceID: number) => client.getDevicePosition({ params: { deviceID } });
const put = (deviceID: number, body: { latitude: number | null; longitude: number | null; accuracy?: number }) =>
  client.setDevicePosition({ params: { deviceID }, body });

test('a device has no position until one is set by hand', async () => {
  const { deviceID } = await addDevice(client);
  expect(await positionOf(deviceID)).toEqual({ deviceID });
  const set = await put(deviceID, { latitude: 47.5, longitude: -8.25, accuracy: 10 });
  expect(set).toEqual({
    deviceID,
    latitude: 47.5,
    longitude: -8.25,
    accuracy: 10,
    source: 'hand',
    positionDate: expect.any(String) as string,
  });
  expect(await positionOf(deviceID)).toEqual(set);
  const moved = await put(deviceID, { latitude: 1, longitude: 2 });
  expect(moved).not.toHaveProperty('accuracy');
});

test('a health report sets the position, and an older report does not change it', async () => {
  const { deviceID, deviceSerial } = await addDevice(client);
  const time = nowMs();
  await report(deviceSerial, 40, time);
  const first = await positionOf(deviceID);
  const positionDate = new Date(time).toISOString();
  expect(first).toEqual({ deviceID, latitude: 40, longitude: 8, accuracy: 3, source: 'health', positionDate });
  await report(deviceSerial, 41, time - 1);
  expect(await positionOf(deviceID)).toEqual(first);
  await report(deviceSerial, 42, time + 1);
  expect(await positionOf(deviceID)).toMatchObject({ latitude: 42 });
  await client.createDeviceHealth({ body: { deviceSerial, healthJSON: '{"latitude":95,"longitude":8}' } });
  expect(await positionOf(deviceID)).toMatchObject({ latitude: 42 });
});

test('updatelatest and PUT of a report set the position too', async () => {
  const { deviceID, deviceSerial } = await addDevice(client);
  await client.updateLatestDeviceHealth({ body: { deviceSerial, healthJSON: '{"lat":11,"lon":8}' } });
  expect(await positionOf(deviceID)).toMatchObject({ latitude: 11 });
  const { key: deviceHealthID = 0 } = await client.getLatestDeviceHealth({ params: { deviceID } });
  await client.updateDeviceHealth({ params: { deviceHealthID }, body: { healthJSON: '{"lat":12,"lon":8}' } });
  expect(await positionOf(deviceID)).toMatchObject({ latitude: 12 });
});

test('a position set by hand stays, until it is removed', async () => {
  const { deviceID, deviceSerial } = await addDevice(client);
  await put(deviceID, { latitude: 1, longitude: 2 });
  await report(deviceSerial, 40, Date.now() + 60_000);
  expect(await positionOf(deviceID)).toMatchObject({ latitude: 1, source: 'hand' });
  expect(await put(deviceID, { latitude: null, longitude: null })).toEqual({ deviceID });
  await report(deviceSerial, 40, nowMs());
  expect(await positionOf(deviceID)).toMatchObject({ latitude: 40, source: 'health' });
});

test('half a position and degrees out of range are refused', async () => {
  const { deviceID } = await addDevice(client);
  await expect(put(deviceID, { latitude: null, longitude: 2 })).rejects.toEqual(refusedWith(400, /latitude/));
  await expect(put(deviceID, { latitude: 90.1, longitude: 2 })).rejects.toEqual(refusedWith(400, /latitude/));
  await expect(put(deviceID, { latitude: 9, longitude: -180.5 })).rejects.toEqual(refusedWith(400, /longitude/));
});
