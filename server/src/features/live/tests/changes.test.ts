import { randomUUID } from 'node:crypto';
import type { Client } from '@earshot/client/client';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Stream } from './stream.ts';
import { openStream } from './stream.ts';

let server: TestServer;
let client: Client;
let stream: Stream;
beforeAll(async () => {
  server = await startTestServer();
  client = (await server.admin.withKey()).client;
});
afterAll(() => server.stop());
beforeEach(async () => {
  stream = await openStream(server.url, server.admin);
  await heard();
});
afterEach(() => stream.close());

const addDevice = () => client.createDevice({ body: { deviceSerial: `d-${randomUUID()}` } });

/** The changes since the last call, in short form. */
const heard = async () => (await stream.heard(addDevice)).map(({ event, change }) => `${event} ${change}`);

test('a stream starts with its content type and position', async () => {
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(stream.response.headers.get('cache-control')).toBe('no-store');
  expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
  expect(stream.response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(stream.response.headers.get('x-request-id')).not.toBeNull();
  expect(stream.events[0]).toEqual({ event: 'message', id: expect.stringMatching(/^\d+-\d+$/), data: undefined });
});

test('a device is created, changed and removed, each time with the record that its GET shows', async () => {
  const { key = 0 } = await addDevice();
  const params = { deviceID: key };
  const created = await stream.untilDevice(key);
  expect(created).toEqual({
    id: expect.any(String),
    event: 'device',
    change: 'created',
    key,
    deviceID: key,
    record: await client.getDevice({ params }),
  });
  await client.updateDevice({ params, body: { deviceName: 'East gate' } });
  const changed = await stream.until(({ change, deviceID }) => change === 'changed' && deviceID === key);
  expect(changed.record).toEqual(await client.getDevice({ params }));
  expect(changed.record).toMatchObject({ deviceName: 'East gate' });
  await client.deleteDevice({ params });
  const removed = await stream.until(({ change, deviceID }) => change === 'removed' && deviceID === key);
  expect(removed).toEqual({ id: expect.any(String), event: 'device', change: 'removed', key, deviceID: key });
  expect(await heard()).toEqual(['device created', 'device changed', 'device removed']);
});

test('an agent registers, reports and is removed; contact alone is not a change', async () => {
  const { deviceSerial = '', key: deviceID } = await addDevice();
  const named = { deviceSerial, agentType: 'Audio' };
  const agent = await client.registerAgent({ body: { ...named, processID: 1 } });
  const params = { agentID: agent.key ?? 0 };
  const created = await stream.until((change) => change.event === 'agent' && change.deviceID === deviceID);
  expect(created).toMatchObject({ change: 'created', key: agent.key, deviceID, record: agent });
  await client.dequeueEvent({ body: named });
  await client.listPendingEvents({ body: named });
  await client.dequeueEvent({ body: { ...named, processID: 2 } });
  await client.updateAgent({ params, body: { recentOutput: 'recording' } });
  await client.patchAgent({ params, body: [{ op: 'replace', path: '/agentDescription', value: 'x' }] });
  // A change is sent with its record, so not after the record was removed.
  const before = await heard();
  await client.deleteAgent({ params });
  expect([...before, ...(await heard())]).toEqual([
    'device created',
    'agent created',
    // The device went online.
    'device changed',
    // Another process, a report, a description.
    'agent changed',
    'agent changed',
    'agent changed',
    'agent removed',
  ]);
  const described = stream.changes.filter((change) => change.event === 'agent' && change.deviceID === deviceID).at(-2);
  expect(described?.record).toMatchObject({ processID: 2, recentOutput: 'recording' });
});

test('every step of an event is sent, and its holding agent', async () => {
  const { deviceSerial = '', key: deviceID = 0 } = await addDevice();
  await client.registerAgent({ body: { deviceSerial, agentType: 'Device' } });
  await heard();
  const event = await client.createEvent({ body: { deviceID, eventType: 'Reboot' } });
  const params = { eventID: event.key ?? 0 };
  await client.dequeueEvent({ body: { deviceSerial, agentType: 'Device' } });
  await client.reportEventProgress({ params, body: { percentComplete: 10 } });
  await client.reportEventProgress({ params, body: { percentComplete: 20 } });
  await client.reportEvent({ params, body: { eventStatus: 4, result: 'done' } });
  const other = await client.createEvent({ body: { deviceID, eventType: 'Reboot' } });
  await client.cancelEvent({ params: { eventID: other.key ?? 0 } });
  expect(await heard()).toEqual([
    'event created',
    'event changed',
    'agent changed',
    'event changed',
    'event changed',
    'event changed',
    'agent changed',
    'event created',
    'event changed',
  ]);
  const last = stream.changes.findLast((change) => change.event === 'event' && change.key === event.key);
  expect(last).toMatchObject({ event: 'event', deviceID, record: await client.getEvent({ params }) });
});

test('an expired event is sent without a request', async () => {
  const { key: deviceID = 0 } = await addDevice();
  const event = await client.createEvent({ body: { deviceID, eventType: 'Reboot', expirationEpoch: 1 } });
  const isTimedOut = (record: object | undefined) =>
    record !== undefined && 'eventStatus' in record && record.eventStatus === 6;
  // The creation may be sent so late that its record already shows the end.
  const last = await stream.until(
    ({ key, change, record }) => key === event.key && change === 'changed' && isTimedOut(record),
  );
  expect(last).toMatchObject({ event: 'event', deviceID });
});

test('a collection is created, filled, renamed, emptied and removed', async () => {
  const { key: deviceID = 0 } = await addDevice();
  const { key = 0 } = await client.createCollection({ body: { collectionName: 'Harbour' } });
  const params = { collectionID: key };
  const place = { params: { collectionItemID: key }, body: { itemType: 'device', itemID: deviceID } } as const;
  const item = await client.addCollectionItem(place);
  // The item exists, so nothing changes.
  await client.addCollectionItem(place);
  await client.updateCollection({ params, body: { collectionName: 'Quay' } });
  await client.removeCollectionItem({ params: { collectionItemID: item.key ?? 0 } });
  const before = await heard();
  await client.deleteCollection({ params });
  expect([...before, ...(await heard())]).toEqual([
    'device created',
    'collection created',
    'collection changed',
    'collection changed',
    'collection changed',
    'collection removed',
  ]);
  const removed = stream.changes.findLast(({ change }) => change === 'removed');
  expect(removed).toEqual({ id: expect.any(String), event: 'collection', change: 'removed', key });
});

test('removing a device changes the collections that contain it', async () => {
  const { key: deviceID = 0 } = await addDevice();
  const person = await server.addPerson();
  const { key = 0 } = await client.createCollection({ body: { collectionName: 'Harbour' } });
  const params = { collectionItemID: key };
  await client.addCollectionItem({ params, body: { itemType: 'device', itemID: deviceID } });
  await client.addCollectionItem({ params, body: { itemType: 'user', itemID: person.userID } });
  const own = await person.session.createCollection({ body: { collectionName: 'Mine' } });
  await heard();
  await client.deleteDevice({ params: { deviceID } });
  await server.admin.session.deleteUser({ params: { userID: person.userID } });
  expect(await heard()).toEqual(['device removed', 'collection changed', 'collection removed', 'collection changed']);
  expect(stream.changes.findLast(({ change, event }) => change === 'removed' && event === 'collection')?.key).toBe(
    own.key,
  );
});

test('a refused request is not a change', async () => {
  const { key: deviceID = 0, deviceSerial = '' } = await addDevice();
  await expect(client.createDevice({ body: { deviceSerial } })).rejects.toMatchObject({ status: 409 });
  await expect(client.deleteAgent({ params: { agentID: 987_654 } })).rejects.toMatchObject({ status: 404 });
  await expect(client.updateDevice({ params: { deviceID }, body: { userID: 987_654 } })).rejects.toMatchObject({
    status: 400,
  });
  expect(await heard()).toEqual(['device created']);
});
