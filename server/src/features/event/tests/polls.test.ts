import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@earshot/client/client';
import { createClient } from '@earshot/client/client';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Device } from './fleet.ts';
import { addDevice, refusedWith } from './fleet.ts';

let server: TestServer;
let client: Client;
let device: Device;
beforeAll(async () => {
  server = await startTestServer();
  client = (await server.admin.withKey()).client;
});
afterAll(() => server.stop());
beforeEach(async () => {
  device = await addDevice(client, { deviceName: 'a name of many' });
});

const enqueue = async (more: object = {}) =>
  (await client.createEvent({ body: { deviceID: device.deviceID, eventType: 'Reboot', ...more } })).key ?? 0;

/** A poll with an event is answered sooner than this; a longer wait means that it is waiting. */
async function isParked(poll: Promise<unknown>): Promise<boolean> {
  return Promise.race([poll.then(() => false), sleep(400).then(() => true)]);
}

describe.each(['listPendingEvents', 'longPollEvents'] as const)('%s', (name) => {
  const poll = (body: object) => client[name]({ body });

  test('returns the next pending event with names, and does not take it', async () => {
    await enqueue();
    const high = await enqueue({ priority: 3 });
    const expected = [
      {
        key: high,
        deviceID: device.deviceID,
        eventStatus: 1,
        attemptNumber: 0,
        deviceName: 'a name of many',
        eventType: 'Reboot',
        agentType: 'Device',
        eventStatusName: 'pending',
      },
    ];
    const { deviceSerial } = device;
    expect(await poll({ deviceSerial })).toMatchObject(expected);
    expect(await poll({ deviceSerial })).toHaveLength(1);
    expect(await poll({ deviceName: deviceSerial })).toMatchObject(expected);
    expect(await poll({ deviceSerial, agentType: 'DEVICE' })).toMatchObject(expected);
  });

  test('finds a device by its name, unless it is ambiguous', async () => {
    const named = await addDevice(client, { deviceName: `only ${device.deviceSerial}` });
    const event = await client.createEvent({ body: { deviceSerial: named.deviceSerial, eventType: 'Reboot' } });
    expect(await poll({ deviceName: `only ${device.deviceSerial}` })).toMatchObject([{ key: event.key }]);
    await addDevice(client, { deviceName: 'a name of many' });
    await expect(poll({ deviceName: 'a name of many' })).rejects.toEqual(refusedWith(409));
  });

  test('refuses an unknown device, an unknown agent type, and a missing device', async () => {
    await expect(poll({ deviceSerial: 'nobody' })).rejects.toEqual(refusedWith(404));
    await expect(poll({ deviceSerial: device.deviceSerial, agentType: 'Toaster' })).rejects.toEqual(
      refusedWith(400, /agentType/),
    );
    await expect(poll({})).rejects.toEqual(refusedWith(400, /deviceSerial/));
  });
});

test('does not return events that are taken, delayed, expired or for another agent type', async () => {
  const { deviceSerial } = device;
  const taken = await enqueue({ maxAttempts: 2 });
  await client.dequeueEvent({ body: { deviceSerial, agentType: 'Device' } });
  expect(await client.listPendingEvents({ body: { deviceSerial } })).toEqual([]);
  await client.reportEvent({ params: { eventID: taken }, body: { eventStatus: 5 } });
  expect(await client.listPendingEvents({ body: { deviceSerial } })).toEqual([]);
  await enqueue({ expirationEpoch: 1 });
  expect(await client.listPendingEvents({ body: { deviceSerial } })).toEqual([]);
  await enqueue();
  expect(await client.listPendingEvents({ body: { deviceSerial, agentType: 'Audio' } })).toEqual([]);
});

describe('a long poll', () => {
  test('waits without an event, and returns the first one when it is enqueued', async () => {
    const other = await addDevice(client);
    const waiting = client.longPollEvents({ body: { deviceSerial: device.deviceSerial } });
    await client.createEvent({ body: { deviceID: other.deviceID, eventType: 'Reboot' } });
    expect(await isParked(waiting)).toBe(true);
    const eventID = await enqueue();
    expect(await waiting).toMatchObject([{ key: eventID }]);
  });

  test('for one agent type is not ended by an event for another', async () => {
    const waiting = client.longPollEvents({ body: { deviceSerial: device.deviceSerial, agentType: 'Audio' } });
    await enqueue();
    expect(await isParked(waiting)).toBe(true);
    const eventID = await enqueue({ eventType: 'Start_recording' });
    expect(await waiting).toMatchObject([{ key: eventID }]);
  });

  test('finds events that are not announced, such as after a delay', async () => {
    const eventID = await enqueue();
    await server.db`update events set ready_date = now() + interval '1 hour' where key = ${eventID}`;
    const waiting = client.longPollEvents({ body: { deviceSerial: device.deviceSerial } });
    expect(await isParked(waiting)).toBe(true);
    await server.db`update events set ready_date = now() where key = ${eventID}`;
    expect(await waiting).toMatchObject([{ key: eventID }]);
  });

  test('several for one device are all answered', async () => {
    const waiting = [1, 2, 3].map(() => client.longPollEvents({ body: { deviceSerial: device.deviceSerial } }));
    expect(await isParked(Promise.race(waiting))).toBe(true);
    const eventID = await enqueue();
    for (const one of waiting) expect(await one).toMatchObject([{ key: eventID }]);
  });

  test('of a deleted key ends at once, on any node, and the next call is refused', async () => {
    const node = await server.addNode();
    const { credential, apiKeyID } = await server.admin.withKey();
    const clients = [server.url, node.url].map((url) => createClient({ url, credential }));
    const waiting = clients.map((one) => one.longPollEvents({ body: { deviceSerial: device.deviceSerial } }));
    expect(await isParked(Promise.race(waiting))).toBe(true);
    await server.admin.session.deleteApiKey({ params: { apiKeyID } });
    for (const one of waiting) expect(await one).toEqual([]);
    for (const one of clients) {
      const again = one.longPollEvents({ body: { deviceSerial: device.deviceSerial } });
      await expect(again).rejects.toEqual(refusedWith(401));
    }
  });

  test('ends when its node stops', async () => {
    const node = await server.addNode();
    const { credential } = await server.admin.withKey();
    const waiting = createClient({ url: node.url, credential }).longPollEvents({
      body: { deviceSerial: device.deviceSerial },
    });
    expect(await isParked(waiting)).toBe(true);
    await node.stop();
    expect(await waiting).toEqual([]);
  });

  test('counts as contact with its device', async () => {
    const online = async () => (await client.getDevice({ params: { deviceID: device.deviceID } })).online;
    expect(await online()).toBe(false);
    const waiting = client.longPollEvents({ body: { deviceSerial: device.deviceSerial } });
    await expect.poll(online).toBe(true);
    await enqueue();
    await waiting;
  });
});
