import { sharedTestServer } from '@earshot/server/testing/shared-server';
import type { SharedServer } from '@earshot/server/testing/server';
import { beforeAll, expect, test } from 'vitest';
import { addDevice, refusedWith } from '../../event/tests/fleet.ts';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedTestServer();
});

async function setUp() {
  const owner = await server.addPerson();
  const person = (await owner.withKey()).client;
  const { deviceID, deviceSerial } = await addDevice(person);
  const device = (await owner.withKey({ deviceID, signed: true })).client;
  const ready = (more: object = {}) => device.reportDeviceReady({ body: { deviceSerial, ...more } });
  const readiness = () => person.getDeviceReadiness({ params: { deviceID } });
  const choose = (eventPresetID: number | null) =>
    person.setReadyPreset({ params: { deviceID }, body: { eventPresetID } });
  const eventsOf = (key = deviceID) => person.listEvents({ body: { deviceID: key } });
  const addPreset = async (more: object) =>
    (await person.createEventPreset({ body: { eventType: 'Start_recording', ...more } })).key ?? 0;
  return { person, deviceID, deviceSerial, device, ready, readiness, choose, eventsOf, addPreset };
}

test('a device with its own key reports that it is ready, and gets its record', async () => {
  const { person, deviceID, deviceSerial, device, ready, readiness, eventsOf } = await setUp();
  expect(await readiness()).toEqual({ deviceID });
  // As the SDK sends it: the serial as the name too.
  const body = {
    deviceName: deviceSerial,
    agentType: 'Gardener',
    agentVersion: '1.4.0',
    agentIndex: 1,
    processID: 4321,
  };
  expect(await device.reportDeviceReady({ body })).toEqual(await person.getDevice({ params: { deviceID } }));
  const first = await readiness();
  expect(first).toEqual({ deviceID, readyDate: expect.any(String) as string, version: '1.4.0' });
  await ready();
  const second = await readiness();
  expect(second).toMatchObject({ version: '1.4.0' });
  expect(Date.parse(second.readyDate ?? '')).toBeGreaterThan(Date.parse(first.readyDate ?? ''));
  expect(await eventsOf()).toEqual([]);
  expect(await person.listAgents({ body: { deviceID } })).toEqual([]);
});

test('each report runs the ready preset for the device', async () => {
  const { deviceID, ready, readiness, choose, eventsOf, addPreset } = await setUp();
  const preset = await addPreset({ deviceID, eventParameters: '{"gain":3}', priority: 7 });
  expect(await choose(preset)).toEqual({ deviceID, eventPresetID: preset });
  await ready();
  await ready();
  expect(await readiness()).toMatchObject({ eventPresetID: preset });
  const started = { eventType: 'Start_recording', eventParameters: '{"gain":3}', priority: 7 };
  expect(await eventsOf()).toMatchObject([started, started]);
  await choose(null);
  await ready();
  expect(await eventsOf()).toHaveLength(2);
});

test('a preset of a collection runs for the one device that is ready, while the collection contains it', async () => {
  const { person, deviceID, ready, choose, eventsOf, addPreset } = await setUp();
  const other = await addDevice(person);
  const { key: collectionID = 0 } = await person.createCollection({ body: { collectionName: 'Barn' } });
  const place = (itemID: number) =>
    person.addCollectionItem({ params: { collectionItemID: collectionID }, body: { itemType: 'device', itemID } });
  const preset = await addPreset({ deviceGroupID: collectionID });
  await expect(choose(preset)).rejects.toEqual(refusedWith(400, /eventPresetID/));
  await place(other.deviceID);
  const item = await place(deviceID);
  await choose(preset);
  await ready();
  expect(await eventsOf()).toHaveLength(1);
  expect(await eventsOf(other.deviceID)).toEqual([]);
  await person.removeCollectionItem({ params: { collectionItemID: item.key ?? 0 } });
  await ready();
  expect(await eventsOf()).toHaveLength(1);
});

test('a preset of another device is refused, and a removed preset is no longer set', async () => {
  const { person, deviceID, ready, readiness, choose, eventsOf, addPreset } = await setUp();
  const other = await addDevice(person);
  const foreign = await addPreset({ deviceID: other.deviceID });
  await expect(choose(foreign)).rejects.toEqual(refusedWith(400, /eventPresetID/));
  await expect(choose(4_000_000_000_000)).rejects.toEqual(refusedWith(404));
  const preset = await addPreset({ deviceID });
  await choose(preset);
  await person.deleteEventPreset({ params: { eventPresetID: preset } });
  await ready();
  expect(await readiness()).not.toHaveProperty('eventPresetID');
  expect(await eventsOf()).toEqual([]);
  await person.deleteDevice({ params: { deviceID } });
});
