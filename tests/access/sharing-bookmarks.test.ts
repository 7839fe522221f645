import type { Person } from '@earshot/server/testing/person';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, describe, expect, test } from 'vitest';
import type { KeyedDevice } from './places.ts';
import {
  addCollection,
  addDevice,
  deviceItem,
  give,
  place,
  read,
  shownIn,
  statusOf,
  takeOut,
  userItem,
} from './places.ts';

// Ada owns a device and shares it with Ben; Ben tries to pass it on to Cleo.
let server: SharedServer;
let ada: Person;
let ben: Person;
let cleo: Person;
beforeAll(async () => {
  server = await sharedTestServer();
  [ada, ben, cleo] = [await server.addPerson(), await server.addPerson(), await server.addPerson()];
});

async function lendToBen(access: 'read' | 'write' = 'read') {
  const device = await addDevice(ada);
  const lent = await addCollection(ada, { access, devices: [device] });
  const loan = await place(ada, lent, 'user', ben.userID);
  return { device, lent, loan };
}

const itemStatus = (person: Person, { key = 0 }: { key?: number }) =>
  statusOf(person.session.getCollectionItem({ params: { collectionItemID: key } }));

async function itemsOf(person: Person): Promise<readonly (number | undefined)[]> {
  return (await person.session.listCollectionItems()).map(({ key }) => key);
}

describe('an item placed by a person who is neither the owner nor an admin', () => {
  test.each(['read', 'write'] as const)(
    'gives no access, although the person who placed it has %s access',
    async (access) => {
      const { device } = await lendToBen(access);
      const passedOn = await addCollection(ben, { access: 'write', members: [cleo], devices: [device] });
      expect(await read(cleo, device)).toBe(404);
      const listed = (await cleo.session.listDevices({ body: {} })).map(({ key }) => key);
      expect(listed).not.toContain(device.key);
      expect(await shownIn(cleo, passedOn)).toEqual([userItem(cleo)]);
    },
  );

  test('is visible only to people who may read the device anyway', async () => {
    const { device, lent } = await lendToBen();
    const passedOn = await addCollection(ben, { members: [cleo] });
    const item = await place(ben, passedOn, 'device', device.key);
    expect(await shownIn(ben, passedOn)).toContain(deviceItem(device));
    expect([await itemStatus(ben, item), await itemStatus(cleo, item)]).toEqual([200, 404]);
    expect(await itemsOf(ben)).toContain(item.key);
    expect(await itemsOf(cleo)).not.toContain(item.key);

    await place(ada, lent, 'user', cleo.userID);
    expect(await shownIn(cleo, passedOn)).toContain(deviceItem(device));
    expect(await itemsOf(cleo)).toContain(item.key);
  });

  test('is no longer visible to the person who placed it when their access ends', async () => {
    const { device, loan } = await lendToBen();
    const kept = await addCollection(ben, { devices: [device] });
    await takeOut(ada, loan);
    expect(await read(ben, device)).toBe(404);
    expect(await shownIn(ben, kept)).toEqual([]);
  });

  test('does not exist for a member with write access who may not read the device', async () => {
    const { device } = await lendToBen();
    const passedOn = await addCollection(ben, { access: 'write', members: [cleo] });
    const item = await place(ben, passedOn, 'device', device.key);
    expect(await takeOut(cleo, item)).toBe(404);
    expect(await itemStatus(ben, item)).toBe(200);
    expect(await takeOut(ben, item)).toBe(200);
  });

  test('can be removed by the owner of the device from any collection', async () => {
    const { device } = await lendToBen();
    const item = await place(ben, await addCollection(ben), 'device', device.key);
    expect(await itemsOf(ada)).toContain(item.key);
    expect([await takeOut(cleo, item), await takeOut(ada, item)]).toEqual([404, 200]);
    expect(await itemStatus(ben, item)).toBe(404);
  });
});

describe('adding again', () => {
  test('returns the existing item, also for concurrent requests', async () => {
    const device = await addDevice(ada);
    const collectionID = await addCollection(ada);
    const items = await Promise.all(Array.from({ length: 6 }, () => place(ada, collectionID, 'device', device.key)));
    const again = await place(ada, collectionID, 'device', device.key);
    expect(new Set(items.map(({ key }) => key))).toEqual(new Set([again.key]));
    expect(await shownIn(ada, collectionID)).toEqual([deviceItem(device)]);

    const member = await place(ada, collectionID, 'user', ben.userID);
    expect(await place(ada, collectionID, 'user', ben.userID)).toMatchObject({ key: member.key });
  });

  test.each(['the owner', 'an admin'])('by %s turns a bookmark into a share', async (who) => {
    const { device } = await lendToBen();
    const collectionID = await addCollection(ben, { access: 'write', members: [ada, cleo] });
    const bookmark = await place(ben, collectionID, 'device', device.key);
    expect(await read(cleo, device)).toBe(404);
    const placer = who === 'the owner' ? ada : server.admin;
    expect(await place(placer, collectionID, 'device', device.key)).toMatchObject({
      key: bookmark.key,
      userID: placer.userID,
    });
    expect(await read(cleo, device)).toBe(200);
  });

  test('by another person does not turn a share into a bookmark', async () => {
    const device = await addDevice(ada);
    const collectionID = await addCollection(ada, { access: 'write', members: [ben, cleo], devices: [device] });
    expect(await place(ben, collectionID, 'device', device.key)).toMatchObject({ userID: ada.userID });
    expect(await read(cleo, device)).toBe(200);
  });

  test('by the owner keeps the item as placed by the admin', async () => {
    const device = await addDevice(ada);
    const collectionID = await addCollection(ada, { members: [ben] });
    await place(server.admin, collectionID, 'device', device.key);
    expect(await place(ada, collectionID, 'device', device.key)).toMatchObject({ userID: server.admin.userID });
    await give(ada, device, cleo);
    expect(await read(ben, device)).toBe(200);
  });
});

describe('a device that gets another owner', () => {
  const rights = async (device: KeyedDevice) => [
    await read(ada, device),
    await read(ben, device),
    await read(cleo, device),
  ];

  test.each(['its owner', 'an admin'])('by %s turns the former owner’s shares into bookmarks', async (who) => {
    const { device, lent } = await lendToBen();
    expect(await rights(device)).toEqual([200, 200, 404]);
    expect(await give(who === 'an admin' ? server.admin : ada, device, cleo)).toBe(200);
    expect(await rights(device)).toEqual([404, 404, 200]);
    expect(await shownIn(ada, lent)).toEqual([userItem(ben)]);
  });

  test('turns the new owner’s bookmark into a share', async () => {
    const { device } = await lendToBen();
    await addCollection(ben, { members: [cleo], devices: [device] });
    await give(ada, device, ben);
    expect(await rights(device)).toEqual([404, 200, 200]);
  });

  test('stays shared in collections where an admin placed it', async () => {
    const device = await addDevice(ada);
    const collectionID = await addCollection(server.admin, { members: [ben], devices: [device] });
    await give(ada, device, cleo);
    expect(await rights(device)).toEqual([404, 200, 200]);
    expect(await shownIn(ben, collectionID)).toContain(deviceItem(device));
  });

  test('cannot be accessed by the keys of its former owner', async () => {
    const device = await addDevice(ada);
    const { client } = await ada.withKey({ deviceID: device.key });
    const params = { deviceID: device.key };
    expect(await statusOf(client.getDevice({ params }))).toBe(200);
    await give(ada, device, ben);
    expect(await statusOf(client.getDevice({ params }))).toBe(404);
  });
});
