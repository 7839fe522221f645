import type { Client } from '@earshot/client/client';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import type { SharedServer } from '@earshot/server/testing/server';
import { beforeAll, expect, test } from 'vitest';
import { addDevice, refusedWith } from '../../event/tests/fleet.ts';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedTestServer();
});

/** A device with the credentials of a person, and of the device. */
async function setUp() {
  const owner = await server.addPerson();
  const person = (await owner.withKey()).client;
  const { deviceID, deviceSerial } = await addDevice(person);
  const device = (await owner.withKey({ deviceID, signed: true })).client;
  const put = (by: Client, settingName: string, settingValue: string | number | boolean | null, local = false) =>
    by.putDeviceSetting({ params: { deviceID }, query: { local }, body: { settingName, settingValue } });
  const read = (by: Client, setting_name: string) =>
    by.getDeviceSetting({ params: { deviceID }, query: { setting_name } });
  const list = () => person.listDeviceSettings({ params: { deviceID } });
  return { person, device, deviceID, deviceSerial, put, read, list };
}

test('a person sets what is wanted, the device what it reports, and a difference is shown', async () => {
  const { person, device, deviceID, put, read } = await setUp();
  await put(device, 'volume', '60');
  expect(await read(person, 'volume')).toEqual({
    key: expect.any(Number) as number,
    deviceID,
    settingName: 'volume',
    settingValue: '60',
    reportedValue: '60',
    isDifferent: false,
    creationDate: expect.any(String) as string,
    createdBy: expect.any(Number) as number,
  });
  await put(person, 'volume', '75');
  const wanted = { settingValue: '75', wantedValue: '75', reportedValue: '60', isDifferent: true };
  expect(await read(person, 'volume')).toMatchObject(wanted);
  expect(await read(device, 'volume')).toMatchObject(wanted);
  await put(device, 'volume', '75');
  expect(await read(person, 'volume')).toMatchObject({ reportedValue: '75', isDifferent: false });
});

test('a wanted value that was never reported differs', async () => {
  const { person, put, read } = await setUp();
  await put(person, 'gain', 'high');
  expect(await read(person, 'gain')).toMatchObject({ wantedValue: 'high', isDifferent: true });
});

test('the name is in the query or in the body, under several names, and matches exactly', async () => {
  const { person, device, deviceID, read } = await setUp();
  const params = { deviceID };
  // As the SDK sends it.
  await device.putDeviceSetting({ params, query: {}, body: { name: 'Volume', value: '60' } });
  await person.putDeviceSetting({ params, query: { settingname: 'Volume' }, body: { settingValue: 70 } });
  expect(await person.getDeviceSetting({ params, query: { settingname: 'Volume' } })).toMatchObject({
    wantedValue: '70',
    reportedValue: '60',
  });
  await expect(read(person, 'volume')).rejects.toEqual(refusedWith(404, /volume/));
  await expect(person.getDeviceSetting({ params, query: {} })).rejects.toEqual(refusedWith(400, /setting_name/));
  const twice = { setting_name: 'a', settingname: 'b' };
  await expect(person.getDeviceSetting({ params, query: twice })).rejects.toEqual(refusedWith(400, /same name/));
  await expect(person.putDeviceSetting({ params, query: { setting_name: 'Volume' }, body: {} })).rejects.toEqual(
    refusedWith(400, /settingValue/),
  );
});

test.each([
  [75, '75'],
  [1.5, '1.5'],
  [true, 'true'],
  ['', ''],
  ['ünïcode\n', 'ünïcode\n'],
])('the value %j is stored as the text %j', async (given, stored) => {
  const { person, put, read } = await setUp();
  await put(person, 'value', given);
  expect(await read(person, 'value')).toMatchObject({ settingValue: stored });
});

test('null removes one value, and the setting with the last one', async () => {
  const { person, device, put, read, list } = await setUp();
  await put(person, 'volume', '75');
  await put(device, 'volume', '60');
  await put(person, 'volume', null);
  expect(await read(person, 'volume')).toMatchObject({ settingValue: '60', isDifferent: false });
  await put(device, 'volume', null);
  expect(await list()).toEqual([]);
  await put(device, 'volume', null);
});

test('a device key removes only what it reported; a person removes the setting', async () => {
  const { person, device, deviceID, put, read, list } = await setUp();
  const remove = (by: Client) => by.deleteDeviceSetting({ params: { deviceID }, query: { setting_name: 'volume' } });
  await put(person, 'volume', '75');
  await put(device, 'volume', '60');
  await remove(device);
  const left = await read(person, 'volume');
  expect(left).toMatchObject({ wantedValue: '75', isDifferent: true });
  expect(left).not.toHaveProperty('reportedValue');
  await put(device, 'volume', '60');
  await remove(person);
  expect(await list()).toEqual([]);
  await expect(remove(person)).rejects.toEqual(refusedWith(404));
});

test('local=true also enqueues an event for the device, which a device key may not do', async () => {
  const { person, device, deviceID, deviceSerial, put } = await setUp();
  await put(person, 'volume', '75', true);
  const [event] = await device.listPendingEvents({ body: { deviceSerial } });
  expect(JSON.parse(event?.eventParameters ?? '')).toEqual({ settingName: 'volume', settingValue: '75' });
  const [listed] = await person.listEvents({ body: { deviceID } });
  expect(listed).toMatchObject({ eventType: 'Update_setting', agentType: 'Device' });
  await expect(put(device, 'volume', '60', true)).rejects.toEqual(refusedWith(403));
  await put(person, 'volume', '80');
  expect(await person.listEvents({ body: { deviceID } })).toHaveLength(1);
});

test('settings are listed by name, at most 1,000 for a device', async () => {
  const { person, deviceID, put, list } = await setUp();
  await put(person, 'b', '1');
  await put(person, 'a', '1');
  expect((await list()).map(({ settingName }) => settingName)).toEqual(['a', 'b']);
  await server.db`
    insert into device_settings (device_id, setting_name, wanted_value)
    select ${deviceID}, 'filler ' || n, '1' from generate_series(1, 998) n`;
  await expect(put(person, 'one more', '1')).rejects.toEqual(refusedWith(409, /1000/));
  await put(person, 'a', '2');
  expect(await list()).toHaveLength(1_000);
});

test('ten writers of one new setting leave one setting with one of their values', async () => {
  const { person, put, list } = await setUp();
  await Promise.all(Array.from({ length: 10 }, (_, index) => put(person, 'volume', index)));
  const settings = await list();
  expect(settings).toHaveLength(1);
  expect(settings[0]?.wantedValue).toMatch(/^\d$/);
});
