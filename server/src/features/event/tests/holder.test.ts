import { randomUUID } from 'node:crypto';
import type { Client } from '@earshot/client/client';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Device } from './fleet.ts';
import { addDevice, refusedWith, takeHeader } from './fleet.ts';

let client: Client;
let device: Device;
beforeAll(async () => {
  client = (await (await sharedTestServer()).admin.withKey()).client;
});
beforeEach(async () => {
  device = await addDevice(client);
});

const take = async (processID?: number, takeID?: string): Promise<number> => {
  await client.createEvent({ body: { deviceID: device.deviceID, eventType: 'Reboot' } });
  const body = { deviceSerial: device.deviceSerial, agentType: 'Device', ...(processID ? { processID } : {}) };
  return (await client.dequeueEvent({ body, headers: takeHeader(takeID) }))?.key ?? 0;
};
const report = (eventID: number, body: object, takeID?: string) =>
  client.reportEvent({ params: { eventID }, body, headers: takeHeader(takeID) });
const otherHolder = refusedWith(409, /^Another process has taken the event since and holds it\.$/);

test('the process that took an event reports on it, and another one is told who holds it', async () => {
  const eventID = await take(1);
  await expect(report(eventID, { percentComplete: 10, processID: 2 })).rejects.toEqual(otherHolder);
  expect(await report(eventID, { percentComplete: 20, processID: 1 })).toMatchObject({ eventStatus: 3, processID: 1 });
  // A report that names no process is one of the holder.
  expect(await report(eventID, { percentComplete: 30 })).toMatchObject({ percentComplete: 30, processID: 1 });
});

test('the end of an event is accepted again from the process that reported it, not from another', async () => {
  const eventID = await take(1);
  const ended = await report(eventID, { eventStatus: 4, result: 'done', processID: 1 });
  await expect(report(eventID, { eventStatus: 4, result: 'done', processID: 2 })).rejects.toEqual(otherHolder);
  expect(await report(eventID, { eventStatus: 4, result: 'done', processID: 1 })).toEqual(ended);
  expect(await report(eventID, { eventStatus: 4, processID: 1 })).toEqual(ended);
});

test('the first process that reports on an event that was taken without one holds it from then on', async () => {
  const eventID = await take();
  expect(await report(eventID, { percentComplete: 10, processID: 5 })).toMatchObject({ processID: 5 });
  await expect(report(eventID, { percentComplete: 20, processID: 6 })).rejects.toEqual(otherHolder);
});

test('a take id counts, in any spelling, and the process does not', async () => {
  const takeID = randomUUID();
  const eventID = await take(1, takeID);
  await expect(report(eventID, { eventStatus: 4, processID: 1 }, randomUUID())).rejects.toEqual(otherHolder);
  const spelled = takeID.replaceAll('-', '').toUpperCase();
  const ended = await report(eventID, { eventStatus: 4, processID: 2 }, spelled);
  expect(ended).toMatchObject({ eventStatus: 4, processID: 1 });
  expect(await report(eventID, { eventStatus: 4, processID: 2 }, takeID)).toEqual(ended);
});

test('the failure of a former take, sent again, changes nothing; other reports need a holder', async () => {
  const takeID = randomUUID();
  const body = { deviceID: device.deviceID, eventType: 'Reboot', maxAttempts: 2 };
  const { key: eventID = 0 } = await client.createEvent({ body });
  const taken = { deviceSerial: device.deviceSerial, agentType: 'Device' };
  await client.dequeueEvent({ body: taken, headers: takeHeader(takeID) });
  const failed = await report(eventID, { eventStatus: 5, result: 'no power' }, takeID);
  expect(failed).toMatchObject({ eventStatus: 1, result: 'no power' });
  expect(await report(eventID, { eventStatus: 5, result: 'no power' }, takeID)).toMatchObject({ eventStatus: 1 });
  expect(await client.listEventHistory({ params: { eventID } })).toHaveLength(3);
  const noHolder = refusedWith(409, /pending again and has no holder/);
  await expect(report(eventID, { eventStatus: 4 }, takeID)).rejects.toEqual(noHolder);
  await expect(report(eventID, { eventStatus: 5 })).rejects.toEqual(noHolder);
});
