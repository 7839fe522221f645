import type { Client } from '@earshot/client/client';
import type { LogMessageFilter } from '@earshot/contract/log-message';
import { sweepLines } from '@earshot/server/features/log-message/rules';
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

const write = (deviceSerial: string, message: string, more: object = {}) =>
  client.createLogMessage({ body: { deviceSerial, message, ...more } });
const messagesOf = async (filter: LogMessageFilter, by = client) =>
  (await by.listLogMessages({ body: filter })).map(({ message }) => message);

test('a device logs a line with its own key, in the form of the SDK', async () => {
  const owner = await server.addPerson();
  const { deviceID, deviceSerial } = await addDevice(owner.session);
  const device = (await owner.withKey({ deviceID, signed: true })).client;
  const agent = await device.registerAgent({ body: { deviceSerial, agentType: 'Audio', agentIndex: 1 } });
  const body = {
    deviceName: deviceSerial,
    deviceSerial,
    agentType: 'audio',
    agentVersion: '1.4.0',
    agentIndex: 1,
    processID: 4321,
    message: 'WARN the disk is nearly full',
    logDate: '2026-11-15 01:10:00.123456+00:00',
  };
  const line = await device.createLogMessage({ body });
  expect(line).toEqual({
    key: expect.any(Number) as number,
    deviceID,
    agentID: agent.key,
    processID: 4321,
    version: '1.4.0',
    level: 'warning',
    message: body.message,
    messageDate: '2026-11-15T01:10:00.123Z',
    creationDate: expect.any(String) as string,
  });
  expect(await device.getLogMessage({ params: { logMessageID: line.key ?? 0 } })).toEqual(line);
  expect(await device.listLogMessages({ body: { deviceID } })).toEqual([
    { ...line, deviceName: deviceSerial, agentType: 'Audio', agentIndex: 1 },
  ]);
});

test('no line is lost: an unknown agent or type and a wrong date are left out', async () => {
  const { deviceID, deviceSerial } = await addDevice(client);
  const stray = await write(deviceSerial, 'hello', { agentType: 'Gardener', agentIndex: 3, logDate: 'yesterday' });
  expect(stray).not.toHaveProperty('agentID');
  expect(stray.messageDate).toBe(stray.creationDate);
  const early = await write(deviceSerial, 'no agent yet', { agentType: 'Audio' });
  expect(early).not.toHaveProperty('agentID');
  const [second, first] = await client.listLogMessages({ body: { deviceID } });
  expect(first).not.toHaveProperty('agentType');
  expect(first).not.toHaveProperty('agentIndex');
  expect(second).toMatchObject({ agentType: 'Audio', agentIndex: 0 });
  const agent = await client.registerAgent({ body: { deviceSerial, agentType: 'Audio' } });
  expect(await client.getLogMessage({ params: { logMessageID: early.key ?? 0 } })).toMatchObject({
    agentID: agent.key,
  });
});

test('a message that is too long and an unknown device are refused', async () => {
  const { deviceSerial } = await addDevice(client);
  await expect(write(deviceSerial, 'x'.repeat(65_537))).rejects.toEqual(refusedWith(400, /65536/));
  expect(await write(deviceSerial, 'é'.repeat(65_536))).toMatchObject({ level: 'info' });
  await expect(write('nobody', 'hello')).rejects.toEqual(refusedWith(404));
});

test('lines of one second are listed by time, then key, in either order, within half-open dates', async () => {
  const { deviceID, deviceSerial } = await addDevice(client);
  const same = '2026-11-15T01:10:00Z';
  for (const message of ['a', 'b', 'c']) await write(deviceSerial, message, { logDate: same });
  await write(deviceSerial, 'earlier', { logDate: '2026-11-15T01:09:59Z' });
  expect(await messagesOf({ deviceID })).toEqual(['c', 'b', 'a', 'earlier']);
  expect(await messagesOf({ deviceID, order: 'asc', count: 3 })).toEqual(['earlier', 'a', 'b']);
  expect(await messagesOf({ deviceID, startDate: same })).toEqual(['c', 'b', 'a']);
  expect(await messagesOf({ deviceID, endDate: same })).toEqual(['earlier']);
});

test('search finds parts of words in any case, signs are no patterns, and the level narrows it', async () => {
  const { deviceID, deviceSerial } = await addDevice(client);
  for (const message of ['ERROR disk FULL', 'disk 100% full', 'disk 100 full', 'net_work down', 'network down']) {
    await write(deviceSerial, message);
  }
  expect(await messagesOf({ deviceID, searchText: 'diskfull' })).toEqual([]);
  expect(await messagesOf({ deviceID, searchText: 'isk F' })).toEqual(['ERROR disk FULL']);
  expect(await messagesOf({ deviceID, searchText: '100%' })).toEqual(['disk 100% full']);
  expect(await messagesOf({ deviceID, searchText: 't_w' })).toEqual(['net_work down']);
  expect(await messagesOf({ deviceID, searchText: 'full', level: 'info', order: 'asc' })).toEqual([
    'disk 100% full',
    'disk 100 full',
  ]);
  expect(await messagesOf({ deviceID, level: 'error' })).toEqual(['ERROR disk FULL']);
  expect(await messagesOf({ deviceID, searchText: '' })).toHaveLength(5);
});

test('without a device, the lines of every readable device are listed, and of no other', async () => {
  const person = await server.addPerson();
  const devices = [await addDevice(person.session), await addDevice(person.session)];
  for (const [index, { deviceSerial }] of devices.entries()) {
    await person.session.createLogMessage({ body: { deviceSerial, message: `line ${index}` } });
  }
  const { deviceID } = await addDevice(client);
  expect(await messagesOf({ deviceID: 0 }, person.session)).toEqual(['line 1', 'line 0']);
  expect(await messagesOf({ searchText: 'LINE 0' }, person.session)).toEqual(['line 0']);
  await expect(messagesOf({ deviceID }, person.session)).rejects.toEqual(refusedWith(404));
});

test('lines older than the retention are removed in batches, and go with their device', async () => {
  const { deviceID, deviceSerial } = await addDevice(client);
  await write(deviceSerial, 'recent');
  await server.db`
    insert into log_messages (device_id, level, message, message_date)
    select ${deviceID}, 'info', 'old', now() - interval '31 days' from generate_series(1, 1200)`;
  await sweepLines(server.db, 30);
  const left = async () => {
    const rows = await server.db<{ message: string }[]>`select message from log_messages where device_id = ${deviceID}`;
    return rows.map(({ message }) => message);
  };
  expect(await left()).toEqual(['recent']);
  await client.deleteDevice({ params: { deviceID } });
  expect(await left()).toEqual([]);
});
