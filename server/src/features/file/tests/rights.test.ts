import { createClient } from '@earshot/client/client';
import type { Person } from '@earshot/server/testing/person';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, describe, expect, test } from 'vitest';
import type { KeyedDevice } from '../../../../../tests/access/places.ts';
import { addCollection, addDevice, give, place, statusOf } from '../../../../../tests/access/places.ts';
import { tinyWav } from './sound.ts';
import { addFile, announce } from './uploading.ts';

type Caller = Pick<Person, 'session'>;

const sound = tinyWav();
let server: SharedServer;
let ada: Person;
let ben: Person;
let device: KeyedDevice;
beforeAll(async () => {
  server = await sharedTestServer();
  [ada, ben] = [await server.addPerson(), await server.addPerson()];
  device = await addDevice(ada);
});

const ofDevice = ({ deviceSerial = '' }: KeyedDevice) => ({ deviceSerial });
const read = ({ session }: Caller, fileID: number) => statusOf(session.getFile({ params: { fileID } }));
const load = ({ session }: Caller, fileID: number) => statusOf(session.getFileContent({ params: { fileID } }));
const check = ({ session }: Caller, fileID: number) => statusOf(session.finishFile({ params: { fileID } }));
const remove = ({ session }: Caller, fileID: number) => statusOf(session.deleteFile({ params: { fileID } }));

/** With the key of a device. */
async function deviceCaller(owner: Person, { key }: KeyedDevice): Promise<Caller> {
  const { credential } = await owner.withKey({ deviceID: key });
  return { session: createClient({ url: server.url, credential }) };
}

describe('a file without a device', () => {
  test('is visible to its creator only', async () => {
    const file = await addFile(ada, sound);
    expect(file).toMatchObject({ userID: ada.userID });
    expect(file).not.toHaveProperty('deviceID');
    expect([await read(ada, file.key), await load(ada, file.key)]).toEqual([200, 200]);
    expect([await read(ben, file.key), await load(ben, file.key), await remove(ben, file.key)]).toEqual([
      404, 404, 404,
    ]);
    expect([await read(server.admin, file.key), await load(server.admin, file.key)]).toEqual([200, 200]);
    expect([await remove(ada, file.key), await read(ada, file.key)]).toEqual([200, 404]);
  });

  test('is shared by a collection, to read or to write', async () => {
    const [toRead, toWrite] = [await addFile(ada, sound), await addFile(ada, sound)];
    await place(ada, await addCollection(ada, { members: [ben] }), 'file', toRead.key);
    await place(ada, await addCollection(ada, { members: [ben], access: 'write' }), 'file', toWrite.key);
    expect([await load(ben, toRead.key), await remove(ben, toRead.key)]).toEqual([200, 403]);
    expect([await load(ben, toWrite.key), await remove(ben, toWrite.key)]).toEqual([200, 200]);
  });
});

describe('a file of a device', () => {
  test('can be created with write access to the device, and belongs to its owner', async () => {
    const lent = await addDevice(ada);
    const collection = await addCollection(ada, { members: [ben], access: 'read', devices: [lent] });
    expect(await statusOf(announce(ben, sound, ofDevice(lent)))).toBe(403);
    expect(await statusOf(announce(ben, sound, ofDevice(device)))).toBe(404);
    await ada.session.updateCollection({ params: { collectionID: collection }, body: { memberAccess: 'write' } });
    expect(await addFile(ben, sound, ofDevice(lent))).toMatchObject({ userID: ada.userID, deviceID: lent.key });
  });

  test('has the rights of the device, also with another owner', async () => {
    const own = await addDevice(ada);
    const file = await addFile(ada, sound, ofDevice(own));
    expect(await load(ben, file.key)).toBe(404);
    await addCollection(ada, { members: [ben], devices: [own] });
    expect([await load(ben, file.key), await check(ben, file.key), await remove(ben, file.key)]).toEqual([
      200, 403, 403,
    ]);
    expect(await give(ada, own, ben)).toBe(200);
    expect([await read(ada, file.key), await load(ada, file.key)]).toEqual([404, 404]);
    expect(await ben.session.getFile({ params: { fileID: file.key } })).toMatchObject({ userID: ben.userID });
    expect(await remove(ben, file.key)).toBe(200);
  });

  test('in a collection of its former owner gives no access any more', async () => {
    const [own, cleo] = [await addDevice(ada), await server.addPerson()];
    const file = await addFile(ada, sound, ofDevice(own));
    const collection = await addCollection(ada, { members: [cleo] });
    await place(ada, collection, 'file', file.key);
    expect(await load(cleo, file.key)).toBe(200);
    await give(ada, own, ben);
    expect([await load(cleo, file.key), await load(ada, file.key)]).toEqual([404, 404]);
  });
});

describe('a device key', () => {
  test('can upload for its own device, which it must name', async () => {
    const key = await deviceCaller(ada, device);
    const file = await addFile(key, sound, ofDevice(device));
    expect(file).toMatchObject({ deviceID: device.key, userID: ada.userID });
    expect([await read(key, file.key), await load(key, file.key), await check(key, file.key)]).toEqual([200, 200, 200]);
    expect(await statusOf(announce(key, sound))).toBe(400);
    expect(await statusOf(announce(key, sound, ofDevice(await addDevice(ada))))).toBe(404);
  });

  test('cannot read or remove other files of its owner', async () => {
    const key = await deviceCaller(ada, device);
    const others = [await addFile(ada, sound), await addFile(ada, sound, ofDevice(await addDevice(ada)))];
    for (const { key: other } of others) {
      expect([await read(key, other), await load(key, other), await check(key, other)]).toEqual([404, 404, 404]);
    }
    const own = await addFile(key, sound, ofDevice(device));
    expect(await remove(key, own.key)).toBe(403);
  });

  test('of an admin has no more rights', async () => {
    const adminDevice = await addDevice(server.admin);
    const key = await deviceCaller(server.admin, adminDevice);
    const other = await addFile(ada, sound);
    expect([await read(key, other.key), await load(key, other.key)]).toEqual([404, 404]);
    expect(await read(key, (await addFile(key, sound, ofDevice(adminDevice))).key)).toBe(200);
  });
});
