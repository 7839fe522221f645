import { randomUUID } from 'node:crypto';
import type { Person } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Stream } from './stream.ts';
import { openStream } from './stream.ts';

let server: TestServer;
let owner: Person;
let member: Person;
let stream: Stream;
beforeAll(async () => {
  server = await startTestServer();
  owner = await server.addPerson();
});
afterAll(() => server.stop());
beforeEach(async () => {
  member = await server.addPerson();
  stream = await openStream(server.url, member);
  await heard();
});
afterEach(() => stream.close());

const addDevice = (person: Person) => person.session.createDevice({ body: { deviceSerial: `d-${randomUUID()}` } });
const rename = (person: Person, deviceID = 0) =>
  person.session.updateDevice({ params: { deviceID }, body: { deviceName: randomUUID() } });

/** The changes that a listener got since the last call. */
const heardBy = async (listener: Stream, person: Person) =>
  (await listener.heard(() => addDevice(person))).map(({ event, change, key }) => `${event} ${key} ${change}`);
const heard = () => heardBy(stream, member);

async function share(deviceID = 0) {
  const { key: collectionID = 0 } = await owner.session.createCollection({ body: { collectionName: 'Shared' } });
  const params = { collectionItemID: collectionID };
  const device = await owner.session.addCollectionItem({ params, body: { itemType: 'device', itemID: deviceID } });
  const person = await owner.session.addCollectionItem({ params, body: { itemType: 'user', itemID: member.userID } });
  return { collectionID, deviceItemID: device.key ?? 0, personItemID: person.key ?? 0 };
}

test("changes of another member's records are never sent", async () => {
  const { key: deviceID = 0, deviceSerial = '' } = await addDevice(owner);
  const { client } = await owner.withKey();
  await client.registerAgent({ body: { deviceSerial, agentType: 'Device' } });
  const event = await client.createEvent({ body: { deviceID, eventType: 'Reboot' } });
  await client.cancelEvent({ params: { eventID: event.key ?? 0 } });
  const collection = await client.createCollection({ body: { collectionName: 'Private' } });
  await client.deleteCollection({ params: { collectionID: collection.key ?? 0 } });
  await client.deleteDevice({ params: { deviceID } });
  expect(await heard()).toEqual([]);
  // Also not when resuming from before they happened: only the two marks of the listener are sent.
  const again = await openStream(server.url, member, stream.events[0]?.id);
  expect(await heardBy(again, member)).toHaveLength(2);
  again.close();
});

test('changes of a device are sent from the start of a share until its end', async () => {
  const { key: deviceID, deviceSerial = '' } = await addDevice(owner);
  expect(await heard()).toEqual([]);
  const { collectionID, deviceItemID } = await share(deviceID);
  await rename(owner, deviceID);
  const { client } = await owner.withKey();
  const agent = await client.registerAgent({ body: { deviceSerial, agentType: 'Device' } });
  const shared = await heard();
  await owner.session.removeCollectionItem({ params: { collectionItemID: deviceItemID } });
  await rename(owner, deviceID);
  await client.deleteAgent({ params: { agentID: agent.key ?? 0 } });
  const online = `device ${deviceID} changed`;
  expect(shared.filter((line) => !line.startsWith('collection'))).toEqual([
    online,
    `agent ${agent.key} created`,
    online,
  ]);
  expect(shared).toContain(`collection ${collectionID} changed`);
  expect(await heard()).toEqual([`collection ${collectionID} changed`]);
});

test('the right at the time of sending counts, not at the time of the change', async () => {
  const { key: deviceID } = await addDevice(owner);
  const before = stream.position;
  await rename(owner, deviceID);
  const { collectionID } = await share(deviceID);
  const later = await openStream(server.url, member, before);
  expect(await heardBy(later, member)).toEqual([
    `device ${deviceID} created`,
    `device ${deviceID} changed`,
    ...['created', 'changed', 'changed'].map((change) => `collection ${collectionID} ${change}`),
  ]);
  later.close();
});

test('a member who is removed from a collection gets its removal, and no other member does', async () => {
  const watching = await openStream(server.url, owner);
  const { key: deviceID } = await addDevice(owner);
  const { collectionID, personItemID } = await share(deviceID);
  await heard();
  await owner.session.removeCollectionItem({ params: { collectionItemID: personItemID } });
  await rename(owner, deviceID);
  expect(await heard()).toEqual([`collection ${collectionID} removed`]);
  expect((await heardBy(watching, owner)).filter((line) => line.endsWith('removed'))).toEqual([]);
  watching.close();
});

test('the removal of a device is sent to people with access and to an admin', async () => {
  const all = await openStream(server.url, server.admin);
  const stranger = await server.addPerson();
  const strange = await openStream(server.url, stranger);
  const { key: deviceID = 0 } = await addDevice(owner);
  await share(deviceID);
  await heardBy(strange, stranger);
  await owner.session.deleteDevice({ params: { deviceID } });
  const removed = `device ${deviceID} removed`;
  expect(await heard()).toContain(removed);
  expect(await heardBy(all, server.admin)).toContain(removed);
  expect(await heardBy(strange, stranger)).toEqual([]);
  all.close();
  strange.close();
});

test('a device with a new owner is removed for people who had access by its former owner', async () => {
  const watching = await openStream(server.url, owner);
  const heir = await server.addPerson();
  const all = await openStream(server.url, server.admin);
  const inheriting = await openStream(server.url, heir);
  const { key: deviceID = 0 } = await addDevice(owner);
  await share(deviceID);
  await heardBy(inheriting, heir);
  await owner.session.updateDevice({ params: { deviceID }, body: { userID: heir.userID } });
  expect(await heard()).toContain(`device ${deviceID} removed`);
  expect(await heardBy(watching, owner)).toContain(`device ${deviceID} removed`);
  expect(await heardBy(inheriting, heir)).toEqual([`device ${deviceID} changed`]);
  // For an admin it is not removed.
  expect(await heardBy(all, server.admin)).not.toContain(`device ${deviceID} removed`);
  for (const open of [watching, inheriting, all]) open.close();
});

test('a device key gets changes of its own device only', async () => {
  const mine = await addDevice(owner);
  const other = await addDevice(owner);
  const { credential } = await owner.withKey({ deviceID: mine.key ?? 0 });
  const listening = await openStream(server.url, { credential });
  const { client } = await owner.withKey();
  await rename(owner, other.key);
  await client.registerAgent({ body: { deviceSerial: other.deviceSerial ?? '', agentType: 'Device' } });
  await client.createEvent({ body: { deviceID: other.key ?? 0, eventType: 'Reboot' } });
  const { collectionID } = await share(mine.key);
  await owner.session.deleteCollection({ params: { collectionID } });
  await owner.session.deleteDevice({ params: { deviceID: other.key ?? 0 } });
  const event = await client.createEvent({ body: { deviceID: mine.key ?? 0, eventType: 'Reboot' } });
  await listening.until(({ event: kind, key }) => kind === 'event' && key === event.key);
  expect(
    listening.changes.filter(({ event: kind, deviceID }) => kind === 'collection' || deviceID !== mine.key),
  ).toEqual([]);
  listening.close();
});

test("an admin's device key gets changes of its own device only", async () => {
  const mine = await addDevice(server.admin);
  const { credential } = await server.admin.withKey({ deviceID: mine.key ?? 0 });
  const listening = await openStream(server.url, { credential });
  const strange = await addDevice(owner);
  await owner.session.deleteDevice({ params: { deviceID: strange.key ?? 0 } });
  await owner.session.createCollection({ body: { collectionName: 'Strange' } });
  await rename(server.admin, mine.key);
  await listening.until(({ change }) => change === 'changed');
  expect(listening.changes.every(({ event, key }) => event === 'device' && key === mine.key)).toBe(true);
  listening.close();
});
