import type { Client } from '@earshot/client/client';
import type { EventParts } from '@earshot/server/features/event/parts';
import { pollEvents } from '@earshot/server/features/event/take/rules';
import { recordWaiting } from '@earshot/server/features/event/wait/wakeups';
import { createWaitingRoom } from '@earshot/server/features/event/wait/waiting-room';
import type { Caller } from '@earshot/server/platform/http/caller';
import type { Person } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openCapturing } from '../../audio-clip/tests/plans.ts';
import type { Device } from './fleet.ts';
import { addDevice, refusedWith } from './fleet.ts';

let server: TestServer;
let owner: Client;
let reader: Client;
let readerID: number;
let writer: Client;
let device: Device;

beforeAll(async () => {
  server = await startTestServer({ eventTimes: { leaseSeconds: 300, retrySeconds: 8 } });
  owner = (await server.admin.withKey()).client;
});
afterAll(() => server.stop());
beforeEach(async () => {
  device = await addDevice(owner);
  const mayRead = await shareWith('read');
  readerID = mayRead.userID;
  reader = (await mayRead.withKey()).client;
  writer = (await (await shareWith('write')).withKey()).client;
});

/** A new person with this access to the device. */
async function shareWith(memberAccess: 'read' | 'write'): Promise<Person> {
  const person = await server.addPerson();
  const { session } = server.admin;
  const { key = 0 } = await session.createCollection({ body: { collectionName: 'Harbour', memberAccess } });
  const place = (itemType: 'user' | 'device', itemID: number) =>
    session.addCollectionItem({ params: { collectionItemID: key }, body: { itemType, itemID } });
  await place('user', person.userID);
  await place('device', device.deviceID);
  return person;
}

const agents = () => owner.listAgents({ body: { deviceID: device.deviceID } });
const isOnline = async () => (await owner.getDevice({ params: { deviceID: device.deviceID } })).online;
const ofAgent = (agentIndex = 0) => ({ deviceSerial: device.deviceSerial, agentType: 'Device', agentIndex });
const enqueue = () => owner.createEvent({ body: { deviceID: device.deviceID, eventType: 'Reboot' } });

describe.each(['listPendingEvents', 'longPollEvents', 'longPollEventList'] as const)('%s of a reader', (name) => {
  test('returns the next event, creates no agent and is no contact', async () => {
    const { key } = await enqueue();
    for (let agentIndex = 0; agentIndex < 30; agentIndex++) {
      expect(await reader[name]({ body: ofAgent(agentIndex) })).toMatchObject([{ key }]);
    }
    await reader[name]({ body: { deviceSerial: device.deviceSerial } });
    expect(await agents()).toEqual([]);
    expect(await isOnline()).toBe(false);
  });

  test('renews no lease', async () => {
    const { key: eventID = 0 } = await enqueue();
    await writer.dequeueEvent({ body: ofAgent() });
    await writer.reportEvent({ params: { eventID }, body: { percentComplete: 1 } });
    const { key: next } = await enqueue();
    const [end] = await server.db`
      with silent as (update agents set last_heard_from_date = now() - interval '200 seconds'
        where device_id = ${device.deviceID})
      update events set lease_end_date = now() + interval '100 seconds' where key = ${eventID} returning lease_end_date`;
    const leaseEnd = async () => (await server.db`select lease_end_date from events where key = ${eventID}`)[0];
    expect(await reader[name]({ body: ofAgent() })).toMatchObject([{ key: next }]);
    expect(await leaseEnd()).toEqual(end);
    expect(await writer[name]({ body: ofAgent() })).toMatchObject([{ key: next }]);
    expect(await leaseEnd()).not.toEqual(end);
  });

  test('that of a member who may write creates the agent, and is contact', async () => {
    await enqueue();
    await writer[name]({ body: ofAgent(3) });
    expect(await agents()).toMatchObject([{ agentIndex: 3 }]);
    expect(await isOnline()).toBe(true);
  });
});

test('a waiting poll is contact only if its caller may write the device', async () => {
  const room = createWaitingRoom();
  const { deviceID } = device;
  const guest = { userID: 1, deadlineMs: performance.now() + 60_000 };
  room.enter(deviceID, { ...guest, isContact: false });
  await recordWaiting(server.db, room);
  expect(await isOnline()).toBe(false);
  const stay = room.enter(deviceID, { ...guest, isContact: true });
  expect(room.contactedDevices).toEqual([deviceID]);
  await recordWaiting(server.db, room);
  expect(await isOnline()).toBe(true);
  stay.leave();
  expect(room.devices).toEqual([deviceID]);
  expect(room.contactedDevices).toEqual([]);
});

test('a parked poll waits as contact only for a caller who may write the device', async () => {
  const room = createWaitingRoom();
  const parts = { db: server.db, room, longPollSeconds: 60 } as EventParts;
  const { deviceSerial, deviceID } = device;
  const park = (caller: Omit<Caller, 'credential'>) =>
    pollEvents(parts, { ...caller, credential: 'test' }, { deviceSerial }, true);
  const ofReader = park({ userID: readerID, role: 'member' });
  await expect.poll(() => room.size).toBe(1);
  expect(room.contactedDevices).toEqual([]);
  const ofAdmin = park({ userID: server.admin.userID, role: 'admin' });
  await expect.poll(() => room.size).toBe(2);
  expect(room.contactedDevices).toEqual([deviceID]);
  room.close();
  expect(await Promise.all([ofReader, ofAdmin])).toEqual([[], []]);
});

test('a parked poll of a reader is answered by the next event and leaves the device offline', async () => {
  const waiting = reader.longPollEvents({ body: { deviceSerial: device.deviceSerial } });
  await expect.poll(waitingPolls).toBe('1');
  const { key } = await enqueue();
  expect(await waiting).toMatchObject([{ key }]);
  expect(await isOnline()).toBe(false);
});

async function waitingPolls(): Promise<string | undefined> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  return /^earshot_agents_waiting (\d+)$/m.exec(metrics)?.[1];
}

test('the right to write is known without a further statement', async () => {
  const { db, sent } = openCapturing(server.databaseUrl);
  onTestFinished(() => db.end({ timeout: 1 }));
  await db`select 1`;
  const room = createWaitingRoom();
  // Only what a poll without an agent uses.
  const parts = { db, room, longPollSeconds: 1 } as EventParts;
  const costOf = async (caller: Caller) => {
    sent.length = 0;
    await pollEvents(parts, caller, { deviceSerial: device.deviceSerial }, false);
    return sent.length;
  };
  expect(await costOf({ userID: server.admin.userID, role: 'admin', credential: 'test' })).toBe(3);
  expect(await costOf({ userID: readerID, role: 'member', credential: 'test' })).toBe(2);
});

test('a reader cannot take an event', async () => {
  await enqueue();
  await expect(reader.dequeueEvent({ body: ofAgent() })).rejects.toEqual(refusedWith(403, /not change/));
  expect(await agents()).toEqual([]);
});
