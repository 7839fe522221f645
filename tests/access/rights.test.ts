import type { Person } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KeyedDevice } from './places.ts';
import { addCollection, addDevice, give, read, write } from './places.ts';

let server: TestServer;
let owner: Person;
let reader: Person;
let writer: Person;
let stranger: Person;
beforeAll(async () => {
  server = await startTestServer();
  [owner, reader, writer, stranger] = await Promise.all([
    server.addPerson(),
    server.addPerson(),
    server.addPerson(),
    server.addPerson(),
  ]);
});
afterAll(() => server.stop());

/** The right that the operations themselves grant: to read, to change, to give away. */
async function grantedRight(person: Person, device: KeyedDevice): Promise<string | undefined> {
  if ((await read(person, device)) !== 200) return undefined;
  if ((await write(person, device)) !== 200) return 'read';
  if ((await give(person, device, stranger)) !== 200) return 'write';
  await give(server.admin, device, owner);
  return 'own';
}

test('the rights that are told are those that the operations grant', async () => {
  const device = await addDevice(owner);
  const reading = await addCollection(owner, { members: [reader], devices: [device] });
  const writing = await addCollection(owner, { access: 'write', members: [writer], devices: [device] });
  const body = { deviceIDs: [device.key, 4_000_000_000_000], collectionIDs: [reading, writing] };
  const collections = (right: string, ...keys: number[]) => keys.map((collectionID) => ({ collectionID, right }));
  const people = [
    [owner, 'own', collections('own', reading, writing)],
    [reader, 'read', collections('read', reading)],
    [writer, 'write', collections('write', writing)],
    [stranger, undefined, []],
    [server.admin, 'own', collections('own', reading, writing)],
  ] as const;
  for (const [person, right, ofCollections] of people) {
    const told = await person.session.listRights({ body });
    expect(told.devices).toEqual(right === undefined ? [] : [{ deviceID: device.key, right }]);
    expect(told.collections.toSorted((a, b) => a.collectionID - b.collectionID)).toEqual(ofCollections);
    expect(await grantedRight(person, device)).toBe(right);
  }
});

test('the key of a device knows its device and no collection', async () => {
  const [device, other] = [await addDevice(owner), await addDevice(owner)];
  const collectionID = await addCollection(owner);
  const { client } = await owner.withKey({ deviceID: device.key });
  const body = { deviceIDs: [device.key, other.key], collectionIDs: [collectionID] };
  expect(await client.listRights({ body })).toEqual({
    devices: [{ deviceID: device.key, right: 'own' }],
    collections: [],
  });
});

test('nothing asked, nothing told', async () => {
  expect(await owner.session.listRights({ body: {} })).toEqual({ devices: [], collections: [] });
});
