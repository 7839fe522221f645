import type { Person } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addCollection,
  addDevice,
  deviceItem,
  give,
  place,
  read,
  remove,
  shownIn,
  statusOf,
  takeOut,
  userItem,
  write,
} from './places.ts';

let server: TestServer;
let ada: Person;
let ben: Person;
let cleo: Person;
beforeAll(async () => {
  server = await startTestServer();
  [ada, ben, cleo] = [await server.addPerson(), await server.addPerson(), await server.addPerson()];
});
afterAll(() => server.stop());

describe('ownership', () => {
  test('the person who adds a device or a collection owns it, and no other member can see it', async () => {
    const device = await addDevice(ada);
    expect(device.userID).toBe(ada.userID);
    expect([await read(ada, device), await write(ada, device)]).toEqual([200, 200]);
    expect([await read(ben, device), await write(ben, device)]).toEqual([404, 404]);

    const params = { collectionID: await addCollection(ada) };
    expect(await ada.session.getCollection({ params })).toMatchObject({ userID: ada.userID });
    expect(await statusOf(ben.session.getCollection({ params }))).toBe(404);
    expect(await statusOf(ben.session.updateCollection({ params, body: { collectionName: 'Mine' } }))).toBe(404);
  });

  test('an admin can read and change all records', async () => {
    const device = await addDevice(ada);
    expect([await read(server.admin, device), await write(server.admin, device)]).toEqual([200, 200]);
    const listed = await server.admin.session.listDevices({ body: {} });
    expect(listed.map(({ key }) => key)).toContain(device.key);
  });

  test('the rights to an agent are those to its device, also with a new owner', async () => {
    const device = await addDevice(ada);
    const { key: agentID = 0 } = await ada.session.registerAgent({
      body: { deviceSerial: device.deviceSerial ?? '', agentType: 'Audio' },
    });
    const params = { agentID };
    const update = (person: Person) => statusOf(person.session.updateAgent({ params, body: { recentOutput: 'x' } }));
    expect([await statusOf(ben.session.getAgent({ params })), await update(ben)]).toEqual([404, 404]);
    await addCollection(ada, { members: [ben], devices: [device] });
    expect([await statusOf(ben.session.getAgent({ params })), await update(ben)]).toEqual([200, 403]);
    await addCollection(ada, { access: 'write', members: [ben], devices: [device] });
    expect(await update(ben)).toBe(200);

    await give(ada, device, cleo);
    expect(await cleo.session.getAgent({ params })).toMatchObject({ userID: cleo.userID });
    expect(await statusOf(ada.session.getAgent({ params }))).toBe(404);
  });
});

describe('placing in a collection', () => {
  test('members can read the collection and the devices that their owners placed there, and nothing else', async () => {
    const [shared, kept] = [await addDevice(ada), await addDevice(ada)];
    const collectionID = await addCollection(ada, { members: [ben], devices: [shared] });
    expect(await statusOf(ben.session.getCollection({ params: { collectionID } }))).toBe(200);
    expect([await read(ben, shared), await read(ben, kept), await read(cleo, shared)]).toEqual([200, 404, 404]);
    expect(await shownIn(ben, collectionID)).toEqual([deviceItem(shared), userItem(ben)]);
    const listed = (await ben.session.listDevices({ body: {} })).map(({ key }) => key);
    expect(listed).toContain(shared.key);
    expect(listed).not.toContain(kept.key);
    expect((await ben.session.listCollections()).map(({ key }) => key)).toContain(collectionID);
    expect((await cleo.session.listCollections()).map(({ key }) => key)).not.toContain(collectionID);
  });

  test('an item placed by an admin is shared like one placed by its owner', async () => {
    const device = await addDevice(ada);
    const collectionID = await addCollection(ben, { members: [cleo] });
    await place(server.admin, collectionID, 'device', device.key);
    expect([await read(ben, device), await read(cleo, device), await write(cleo, device)]).toEqual([200, 200, 403]);
  });

  test('with memberAccess read, members cannot change the devices or the collection, or add items', async () => {
    const device = await addDevice(ada);
    const params = { collectionID: await addCollection(ada, { members: [ben], devices: [device] }) };
    expect(await write(ben, device)).toBe(403);
    expect(await statusOf(ben.session.updateCollection({ params, body: { collectionName: 'Mine' } }))).toBe(403);
    expect(await statusOf(place(ben, params.collectionID, 'device', (await addDevice(ben)).key))).toBe(403);
    expect(await statusOf(place(ben, params.collectionID, 'user', cleo.userID))).toBe(403);
  });

  test('with memberAccess write, members can change the devices and the collection, but not memberAccess', async () => {
    const device = await addDevice(ada);
    const params = { collectionID: await addCollection(ada, { access: 'write', members: [ben], devices: [device] }) };
    const update = (body: { collectionName?: string; memberAccess?: 'read' | 'write' }) =>
      statusOf(ben.session.updateCollection({ params, body }));
    expect(await write(ben, device)).toBe(200);
    expect(await update({ collectionName: 'Ours' })).toBe(200);
    expect(await update({ memberAccess: 'write' })).toBe(200);
    expect(await update({ memberAccess: 'read' })).toBe(403);
    expect(await statusOf(ben.session.deleteCollection({ params }))).toBe(403);

    await ada.session.updateCollection({ params, body: { memberAccess: 'read' } });
    expect([await read(ben, device), await write(ben, device)]).toEqual([200, 403]);
  });

  test('a member with write access can add own devices and people, and they are shared', async () => {
    const [hers, his] = [await addDevice(ada), await addDevice(ben)];
    const collectionID = await addCollection(ada, { access: 'write', members: [ben], devices: [hers] });
    await place(ben, collectionID, 'device', his.key);
    await place(ben, collectionID, 'user', cleo.userID);
    // The collection's owner is one of the people with access.
    expect([await read(ada, his), await write(ada, his)]).toEqual([200, 200]);
    expect([await write(cleo, hers), await write(cleo, his)]).toEqual([200, 200]);
  });

  test('adding needs write access to the collection and read access to the item', async () => {
    const [collectionID, device, unseen] = [await addCollection(ada), await addDevice(ada), await addDevice(ben)];
    expect(await statusOf(place(ben, collectionID, 'device', unseen.key))).toBe(404);
    expect(await statusOf(place(ada, collectionID, 'device', unseen.key))).toBe(404);
    expect(await statusOf(place(ada, collectionID, 'user', 4_000_000_000_000))).toBe(404);
    expect(await statusOf(place(ada, collectionID, 'file', 4_000_000_000_000))).toBe(404);
    expect(await statusOf(place(ada, collectionID, 'device', device.key))).toBe(200);
    expect(await shownIn(ada, collectionID)).toEqual([deviceItem(device)]);
  });
});

describe('operations for owners only', () => {
  test('only the owner or an admin can remove a device', async () => {
    const [first, second] = [await addDevice(ada), await addDevice(ada)];
    await addCollection(ada, { access: 'write', members: [ben], devices: [first, second] });
    expect([await remove(cleo, first), await remove(ben, first)]).toEqual([404, 403]);
    expect([await remove(ada, first), await remove(server.admin, second)]).toEqual([200, 200]);
    expect(await read(ada, first)).toBe(404);
  });

  test('only the owner or an admin can transfer a device to another owner', async () => {
    const device = await addDevice(ada);
    await addCollection(ada, { access: 'write', members: [ben], devices: [device] });
    expect([await give(cleo, device, cleo), await give(ben, device, ben)]).toEqual([404, 403]);
    // Clients send complete records back: the unchanged owner is accepted.
    expect(await give(ben, device, ada)).toBe(200);
    expect([await give(ada, device, cleo), await give(server.admin, device, ben)]).toEqual([200, 200]);
    expect(await ben.session.getDevice({ params: { deviceID: device.key } })).toMatchObject({ userID: ben.userID });
  });

  test('the owner of a device can remove it from another person’s collection', async () => {
    const device = await addDevice(ada);
    const collectionID = await addCollection(ben, { members: [cleo] });
    const item = await place(server.admin, collectionID, 'device', device.key);
    expect(await read(cleo, device)).toBe(200);
    expect([await takeOut(cleo, item), await takeOut(ada, item)]).toEqual([403, 200]);
    expect([await read(cleo, device), await read(ben, device)]).toEqual([404, 404]);
  });
});

describe('the end of sharing', () => {
  test('a removed member has no access from then on, with key or session, on any node', async () => {
    const device = await addDevice(ada);
    const collectionID = await addCollection(ada, { devices: [device] });
    const membership = await place(ada, collectionID, 'user', ben.userID);
    const params = { deviceID: device.key };
    const { client } = await ben.withKey();
    const second = await server.addNode();
    const onSecond = async () =>
      (await fetch(`${second.url}/v1/device/${device.key}`, { headers: { cookie: ben.cookie } })).status;
    expect([await read(ben, device), await statusOf(client.getDevice({ params })), await onSecond()]).toEqual([
      200, 200, 200,
    ]);

    expect(await takeOut(ada, membership)).toBe(200);
    expect([await read(ben, device), await statusOf(client.getDevice({ params })), await onSecond()]).toEqual([
      404, 404, 404,
    ]);
    expect(await statusOf(ben.session.getCollection({ params: { collectionID } }))).toBe(404);
  });

  test('items that are removed, or whose collection is removed, are no longer shared but still exist', async () => {
    const [first, second] = [await addDevice(ada), await addDevice(ada)];
    const collectionID = await addCollection(ada, { members: [ben], devices: [second] });
    const item = await place(ada, collectionID, 'device', first.key);
    expect(await takeOut(ben, item)).toBe(403);
    expect(await takeOut(ada, item)).toBe(200);
    expect([await read(ben, first), await read(ben, second)]).toEqual([404, 200]);
    await ada.session.deleteCollection({ params: { collectionID } });
    expect([await read(ben, second), await read(ada, first), await read(ada, second)]).toEqual([404, 200, 200]);
  });
});
