import { randomUUID } from 'node:crypto';
import type { Client } from '@earshot/client/client';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

let server: TestServer;
let client: Client;
let deviceID: number;
let deviceSerial: string;
beforeAll(async () => {
  server = await startTestServer({ eventTimes: { leaseSeconds: 300, retrySeconds: 1 } });
  client = (await server.admin.withKey()).client;
});
afterAll(() => server.stop());
beforeEach(async () => {
  deviceSerial = `d-${randomUUID()}`;
  deviceID = (await client.createDevice({ body: { deviceSerial } })).key ?? 0;
});

const dequeue = (takeID?: string, processID = 1) =>
  client.dequeueEvent({
    body: { deviceSerial, agentType: 'device', processID },
    headers: takeID === undefined ? {} : { 'x-take-id': takeID },
  });
const reboot = (more: object = {}) => client.createEvent({ body: { deviceID, eventType: 'reboot', ...more } });

test('an event is enqueued, taken once, reported on and completed, and its history shows it', async () => {
  const event = await reboot({ eventParameters: '{"delay":5}', maxAttempts: 2 });
  expect(event).toMatchObject({ deviceID, eventStatus: 1, attemptNumber: 0, maxAttempts: 2, serverEvent: 0 });
  const pending = await client.listPendingEvents({ body: { deviceName: deviceSerial } });
  expect(pending).toMatchObject([
    { key: event.key, eventType: 'Reboot', agentType: 'Device', eventStatusName: 'pending' },
  ]);

  const taken = await dequeue();
  expect(taken).toMatchObject({ key: event.key, eventStatus: 2, attemptNumber: 1, processID: 1 });
  expect(await dequeue()).toBeUndefined();
  const params = { eventID: event.key ?? 0 };
  const agent = () => client.getAgent({ params: { agentID: taken.agentID ?? 0 } });
  expect(await agent()).toMatchObject({ currentEventID: event.key });

  expect(await client.reportEventProgress({ params, body: { percentComplete: 40 } })).toMatchObject({ eventStatus: 3 });
  await client.reportEvent({ params, body: { eventStatus: 4, result: 'done', processID: 1 } });
  await client.reportEvent({ params, body: { eventStatus: 4, result: 'done', processID: 1 } });
  expect(await client.getEvent({ params })).toMatchObject({ eventStatus: 4, result: 'done', percentComplete: 100 });
  expect(await agent()).not.toHaveProperty('currentEventID');
  await expect(client.reportEvent({ params, body: { eventStatus: 5 } })).rejects.toMatchObject({ status: 409 });
  await expect(client.cancelEvent({ params })).rejects.toMatchObject({ status: 409 });

  const history = await client.listEventHistory({ params });
  expect(history.map(({ cause, toStatus }) => [cause, toStatus])).toEqual([
    ['enqueued', 1],
    ['taken', 2],
    ['reported', 3],
    ['completed', 4],
  ]);
  expect(history.every(({ userID }) => userID === server.admin.userID)).toBe(true);
});

test('the same take id takes the same event again, and another take may not report', async () => {
  await reboot();
  await reboot();
  const takeID = randomUUID();
  const first = await dequeue(takeID);
  expect(await dequeue(takeID)).toMatchObject({ key: first.key, attemptNumber: 1 });
  const params = { eventID: first.key ?? 0 };
  const other = { 'x-take-id': randomUUID() };
  await expect(client.reportEvent({ params, headers: other, body: { eventStatus: 4 } })).rejects.toMatchObject({
    status: 409,
  });
  await expect(client.reportEvent({ params, body: { eventStatus: 4, processID: 2 } })).rejects.toMatchObject({
    status: 409,
  });
  await client.reportEvent({ params, headers: { 'x-take-id': takeID }, body: { eventStatus: 4 } });
});

test('an error makes the event pending while attempts are left, and is final otherwise', async () => {
  const event = await reboot({ maxAttempts: 2 });
  const params = { eventID: event.key ?? 0 };
  await dequeue();
  expect(await client.reportEvent({ params, body: { eventStatus: 5, result: 'no' } })).toMatchObject({
    eventStatus: 1,
  });
  expect(await dequeue()).toBeUndefined();
  const [next] = await client.longPollEvents({ body: { deviceSerial } });
  expect(next).toMatchObject({ key: event.key, attemptNumber: 1 });
  expect(await dequeue()).toMatchObject({ attemptNumber: 2 });
  expect(await client.reportEvent({ params, body: { eventStatus: 5 } })).toMatchObject({ eventStatus: 5 });
});

test('priority comes first, then age; a cancelled event is not taken, and its holder gets 409', async () => {
  const low = await reboot();
  const high = await reboot({ priority: 5 });
  const second = await reboot();
  expect((await dequeue()).key).toBe(high.key);
  await client.cancelEvent({ params: { eventID: low.key ?? 0 } });
  expect((await dequeue()).key).toBe(second.key);
  const params = { eventID: second.key ?? 0 };
  await client.cancelEvent({ params });
  await expect(client.reportEvent({ params, body: { percentComplete: 1 } })).rejects.toMatchObject({ status: 409 });
});

test('a waiting agent is woken by an event from another node', async () => {
  const other = await server.addNode();
  const waiting = client.longPollEvents({ body: { deviceSerial } });
  await fetch(`${other.url}/v1/event`, {
    method: 'POST',
    headers: { cookie: server.admin.cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ deviceID, eventType: 'Reboot' }),
  });
  expect(await waiting).toHaveLength(1);
});

test('registering with another process releases the events of the former one', async () => {
  const event = await reboot({ maxAttempts: 2 });
  const agent = { deviceSerial, agentType: 'Device' };
  await client.registerAgent({ body: { ...agent, processID: 1 } });
  await dequeue();
  expect(await client.registerAgent({ body: { ...agent, processID: 1 } })).toMatchObject({ currentEventID: event.key });
  expect(await client.registerAgent({ body: { ...agent, processID: 2 } })).not.toHaveProperty('currentEventID');
  expect(await dequeue(undefined, 2)).toMatchObject({ key: event.key, attemptNumber: 2, processID: 2 });
});

test('a preset of a group runs on each of its devices', async () => {
  const group = await client.createCollection({ body: { collectionName: 'g' } });
  const params = { collectionItemID: group.key ?? 0 };
  await client.addCollectionItem({ params, body: { itemType: 'device', itemID: deviceID } });
  const preset = await client.createEventPreset({
    body: { deviceGroupID: group.key ?? 0, eventType: 'Reboot', eventParameters: '' },
  });
  expect(preset).toMatchObject({ eventParameters: '{}', deviceGroupID: group.key });
  expect(await client.listPresetsOfDevice({ params: { deviceID } })).toMatchObject([{ key: preset.key }]);
  const events = await client.runEventPreset({ params: { eventPresetID: preset.key ?? 0 }, body: {} });
  expect(events).toMatchObject([{ deviceID, eventStatus: 1 }]);
});

test('removing a device removes the history of its events', async () => {
  const { key: eventID = 0 } = await reboot();
  await dequeue();
  const countLines = async () =>
    (
      await server.db<{ lines: number }[]>`
      select count(*) as lines from event_transitions where event_id = ${eventID}`
    )[0]?.lines;
  expect(await countLines()).toBe(2);
  await client.deleteDevice({ params: { deviceID } });
  expect(await countLines()).toBe(0);
});

test('no event names a removed agent; a held event can still be reported on', async () => {
  const ended = (await reboot()).key ?? 0;
  const held = (await reboot()).key ?? 0;
  const agentID = (await dequeue())?.agentID ?? 0;
  await client.reportEvent({ params: { eventID: ended }, body: { eventStatus: 4 } });
  expect(await dequeue()).toMatchObject({ key: held, agentID });
  expect(await client.getEvent({ params: { eventID: ended } })).toMatchObject({ agentID });

  await client.deleteAgent({ params: { agentID } });
  for (const eventID of [ended, held]) {
    expect((await client.getEvent({ params: { eventID } })).agentID ?? null).toBeNull();
  }
  expect(await client.reportEvent({ params: { eventID: held }, body: { eventStatus: 4 } })).toMatchObject({
    eventStatus: 4,
  });
});

test('a type that events refer to cannot be removed from the database', async () => {
  for (const table of ['agent_types', 'event_types']) {
    await expect(server.db`delete from ${server.db(table)} where key = 1`).rejects.toThrow(
      `rows of ${table} are never removed`,
    );
  }
});
