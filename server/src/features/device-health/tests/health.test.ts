import type { Client } from '@earshot/client/client';
import { sweepHealth } from '@earshot/server/features/device-health/rules';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDevice, refusedWith } from '../../event/tests/fleet.ts';

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await startTestServer();
  client = (await (await server.addPerson()).withKey()).client;
});
afterAll(() => server.stop());

const at = (epoch: number, more: object = {}) => JSON.stringify({ time: { datetime: epoch * 1000 }, ...more });
const hourAgo = () => Math.floor(Date.now() / 1000) - 3_600;

async function report(deviceSerial: string, healthJSON: string): Promise<number> {
  const { deviceHealthID = 0 } = await client.createDeviceHealth({ body: { deviceSerial, healthJSON } });
  return deviceHealthID;
}

test('a device reports its health with its own key, and the text is kept as sent', async () => {
  const owner = await server.addPerson();
  const { deviceID, deviceSerial } = await addDevice(owner.session);
  const device = (await owner.withKey({ deviceID, signed: true })).client;
  const healthJSON = '{ "battery" : {"percent": 81.50},\n "time": {"datetime": 5} }';
  // As the SDK sends it: the serial in both fields.
  const body = { deviceName: deviceSerial, deviceSerial, healthJSON };
  const { deviceHealthID = 0 } = await device.createDeviceHealth({ body });
  const stored = await device.getDeviceHealth({ params: { deviceHealthID } });
  expect(stored).toEqual({
    key: deviceHealthID,
    deviceID,
    healthJSON,
    healthDate: expect.any(String) as string,
    creationDate: expect.any(String) as string,
  });
  expect(stored.healthDate).toBe(stored.creationDate);
  expect(await device.getHealthOfDevice({ params: { deviceID } })).toEqual({
    deviceID,
    healthDate: stored.healthDate,
    batteryPercent: 81.5,
  });
});

test('a serial in deviceName finds the device, and an unknown one is refused', async () => {
  const { deviceSerial } = await addDevice(client);
  await client.createDeviceHealth({ body: { deviceName: deviceSerial, healthJSON: 'not JSON' } });
  await expect(client.createDeviceHealth({ body: { deviceName: 'nobody', healthJSON: '' } })).rejects.toEqual(
    refusedWith(404),
  );
  await expect(client.createDeviceHealth({ body: { healthJSON: '' } })).rejects.toEqual(
    refusedWith(400, /deviceSerial/),
  );
  const tooLong = { deviceSerial, healthJSON: 'x'.repeat(65_537) };
  await expect(client.createDeviceHealth({ body: tooLong })).rejects.toEqual(refusedWith(400, /65536/));
});

test('a report is no contact: the device stays offline', async () => {
  const { deviceID, deviceSerial } = await addDevice(client);
  await report(deviceSerial, '{}');
  expect(await client.getDevice({ params: { deviceID } })).toMatchObject({ online: false });
});

test('the latest report is the one with the newest time, not the last one that arrived', async () => {
  const { deviceID, deviceSerial } = await addDevice(client);
  expect(await client.getLatestDeviceHealth({ params: { deviceID } })).toEqual({ deviceID });
  const start = hourAgo();
  const newest = await report(deviceSerial, at(start + 60));
  await report(deviceSerial, at(start));
  expect(await client.getLatestDeviceHealth({ params: { deviceID } })).toMatchObject({ key: newest });
});

test('updatelatest replaces the latest report, and creates one if there is none', async () => {
  const { deviceID, deviceSerial } = await addDevice(client);
  const update = (healthJSON: string) => client.updateLatestDeviceHealth({ body: { deviceSerial, healthJSON } });
  const first = await update('{"cpuTemp":40}');
  expect(await update('{"cpuTemp":50}')).toEqual(first);
  const list = await client.listDeviceHealth({ body: { deviceID } });
  expect(list.map(({ healthJSON }) => healthJSON)).toEqual(['{"cpuTemp":50}']);
  expect(await client.getHealthOfDevice({ params: { deviceID } })).toMatchObject({ cpuTemp: 50 });
});

test('updatelatest replaces the report with the newest time', async () => {
  const { deviceID, deviceSerial } = await addDevice(client);
  const start = hourAgo();
  const newest = await report(deviceSerial, at(start + 60));
  const older = await report(deviceSerial, at(start));
  const body = { deviceSerial, healthJSON: '{"cpuTemp":50}' };
  expect(await client.updateLatestDeviceHealth({ body })).toEqual({ deviceHealthID: newest });
  const list = await client.listDeviceHealth({ body: { deviceID } });
  expect(list.map(({ key }) => key)).toEqual([newest, older]);
});

test('first reports that arrive at once by updatelatest become one report', async () => {
  const { deviceID, deviceSerial } = await addDevice(client);
  await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      client.updateLatestDeviceHealth({ body: { deviceSerial, healthJSON: `{"cpuTemp":${index}}` } }),
    ),
  );
  expect(await client.listDeviceHealth({ body: { deviceID } })).toHaveLength(1);
});

test('PUT replaces text and values, and keeps the time when the new text has none', async () => {
  const { deviceID, deviceSerial } = await addDevice(client);
  const start = hourAgo();
  const deviceHealthID = await report(deviceSerial, at(start, { cpuTemp: 40, batteryPercent: 5 }));
  await client.updateDeviceHealth({ params: { deviceHealthID }, body: { healthJSON: '{"cpuTemp":41}' } });
  const date = new Date(start * 1000).toISOString();
  expect(await client.getHealthOfDevice({ params: { deviceID } })).toEqual({ deviceID, healthDate: date, cpuTemp: 41 });
});

test('a list is half-open, in either order, and 0 to 0 is no range', async () => {
  const { deviceID, deviceSerial } = await addDevice(client);
  const start = hourAgo();
  const keys: number[] = [];
  for (const second of [0, 10, 10, 20]) keys.push(await report(deviceSerial, at(start + second)));
  const list = async (more: object) =>
    (await client.listDeviceHealth({ body: { deviceID, ...more } })).map(({ key }) => key);
  expect(await list({ order: 'asc' })).toEqual(keys);
  expect(await list({})).toEqual(keys.toReversed());
  expect(await list({ startEpoch: start + 10, endEpoch: start + 20, order: 'ASC' })).toEqual(keys.slice(1, 3));
  expect(await list({ startEpoch: 0, endEpoch: 0, count: 1 })).toEqual(keys.slice(3));
  await expect(list({ startEpoch: 20, endEpoch: 10 })).rejects.toEqual(refusedWith(400, /endEpoch/));
});

test('a chart has one point for each part of the range that has values', async () => {
  const { deviceID, deviceSerial } = await addDevice(client);
  const start = hourAgo();
  for (const [second, cpuTemp] of [
    [0, 40],
    [4, 42],
    [10, 50],
    [25, undefined],
    [30, 60],
  ] as const) {
    await report(deviceSerial, at(start + second, { cpuTemp, batteryPercent: 1 }));
  }
  const draw = (more: object) =>
    client.getHealthLineChart({ params: { deviceID }, body: { variableName: 'cputemp', ...more } });
  expect(await draw({ startEpoch: start, endEpoch: start + 40, count: 4 })).toEqual({
    datasets: [
      {
        label: 'cpuTemp',
        data: [
          { time: start + 2, value: 41 },
          { time: start + 10, value: 50 },
          { time: start + 30, value: 60 },
        ],
      },
    ],
  });
  // The last day when no range is given.
  const [today] = (await draw({ count: 1 })).datasets;
  expect(today?.data.map(({ value }) => value)).toEqual([48]);
  expect((await draw({ startEpoch: start, endEpoch: start })).datasets[0]?.data).toEqual([]);
  await expect(draw({ variableName: 'mood' })).rejects.toEqual(refusedWith(400, /batteryPercent/));
});

test('the list of devices has the values of each latest report, and can be limited to online ones', async () => {
  const person = await server.addPerson();
  const [first, second] = [await addDevice(person.session), await addDevice(person.session)];
  const body = { deviceSerial: first.deviceSerial, healthJSON: '{"cpuPercent":12.5,"battery":{"percent":80}}' };
  await person.session.createDeviceHealth({ body });
  await person.session.registerAgent({
    body: { deviceSerial: second.deviceSerial, agentType: 'Device', agentVersion: '1.4.0' },
  });
  const [newer, older] = await person.session.listHealthOfDevices({ query: { status: 'all' } });
  expect(newer).toEqual({
    key: second.deviceID,
    deviceName: second.deviceSerial,
    serialNumber: second.deviceSerial,
    deviceStatus: 'online',
    softwareVersion: '1.4.0',
    lastHeardFromDate: expect.any(String) as string,
  });
  expect(older).toEqual({
    key: first.deviceID,
    deviceName: first.deviceSerial,
    serialNumber: first.deviceSerial,
    batteryPercent: 80,
    cpuPercent: '12.5',
    deviceStatus: 'offline',
  });
  const online = await person.session.listHealthOfDevices({ query: { status: 'online' } });
  expect(online.map(({ key }) => key)).toEqual([second.deviceID]);
});

test('reports older than the retention are removed in batches, and go with their device', async () => {
  const { deviceID, deviceSerial } = await addDevice(client);
  const recent = await report(deviceSerial, at(hourAgo()));
  await server.db`
    insert into device_health (device_id, health_date, health_json)
    select ${deviceID}, now() - interval '31 days' - n * interval '1 second', '{}' from generate_series(1, 1200) n`;
  await sweepHealth(server.db, 30);
  const keys = async () =>
    (await server.db<{ key: number }[]>`select key from device_health where device_id = ${deviceID}`).map(
      ({ key }) => key,
    );
  expect(await keys()).toEqual([recent]);
  await client.deleteDevice({ params: { deviceID } });
  expect(await keys()).toEqual([]);
});
