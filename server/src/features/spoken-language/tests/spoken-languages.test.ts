import { randomUUID } from 'node:crypto';
import type { Client } from '@earshot/client/client';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Recorder } from '../../caption/tests/captioning.ts';
import { addRecorder, captionOf } from '../../caption/tests/captioning.ts';
import { createTestEars } from '../../caption/tests/test-engines.ts';
import { tinyWav } from '../../file/tests/sound.ts';

const engines = createTestEars();
let server: TestServer;
let client: Client;
let recorder: Recorder;
beforeAll(async () => {
  server = await startTestServer({}, { engines });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.db`delete from spoken_languages`;
  engines.asked.length = 0;
  engines.mistakenFor = undefined;
  client = (await (await server.addPerson()).withKey()).client;
  recorder = await addRecorder(client);
});

const ofDevice = () => ({ deviceID: recorder.deviceID });
const setDevice = (...languages: string[]) => client.setDeviceLanguages({ params: ofDevice(), body: { languages } });
const applied = async () => (await client.getDeviceLanguages({ params: ofDevice() })).appliedLanguages;
const addGroup = async (owner: Client, ...languages: string[]) => {
  const { key: collectionID = 0 } = await owner.createCollection({ body: { collectionName: randomUUID() } });
  await owner.setCollectionLanguages({ params: { collectionID }, body: { languages } });
  return collectionID;
};
const place = (owner: Client, collectionItemID: number) =>
  owner.addCollectionItem({
    params: { collectionItemID },
    body: { itemType: 'device', itemID: recorder.deviceID },
  });

test('a device follows its own languages, else those of its collections together, else those of the installation', async () => {
  const { session } = server.admin;
  expect(await client.getDeviceLanguages({ params: ofDevice() })).toEqual({ languages: [], appliedLanguages: [] });
  await session.setInstallationLanguages({ body: { languages: ['de'] } });
  expect(await client.getDeviceLanguages({ params: ofDevice() })).toEqual({
    languages: [],
    appliedLanguages: ['de'],
    appliedFrom: 'installation',
  });
  await place(client, await addGroup(client, 'en'));
  await place(client, await addGroup(client, 'es', 'en'));
  expect(await client.getDeviceLanguages({ params: ofDevice() })).toEqual({
    languages: [],
    appliedLanguages: ['en', 'es'],
    appliedFrom: 'collection',
  });
  expect(await setDevice('FR', 'pt-br', 'fr')).toEqual({
    languages: ['fr', 'pt-BR'],
    appliedLanguages: ['fr', 'pt-BR'],
    appliedFrom: 'device',
  });
  expect(await setDevice()).toMatchObject({ languages: [], appliedLanguages: ['en', 'es'] });
  expect(await client.getInstallationLanguages()).toEqual({
    languages: ['de'],
    appliedLanguages: ['de'],
    appliedFrom: 'installation',
  });
});

test('another person’s collection changes nothing on a device that was lent or bookmarked there', async () => {
  const { userID, ...borrower } = await server.addPerson();
  const other = (await borrower.withKey()).client;
  const lent = await client.createCollection({ body: { collectionName: 'lent', memberAccess: 'write' } });
  await place(client, lent.key ?? 0);
  const body = { itemType: 'user', itemID: userID } as const;
  await client.addCollectionItem({ params: { collectionItemID: lent.key ?? 0 }, body });
  await place(other, await addGroup(other, 'zh'));
  expect(await applied()).toEqual([]);
  // A bookmark that a member places in the collection of an admin gives no access, and so changes nothing.
  const admin = server.admin.session;
  const adminsGroup = await addGroup(admin, 'ko');
  await admin.addCollectionItem({ params: { collectionItemID: adminsGroup }, body });
  await admin.updateCollection({ params: { collectionID: adminsGroup }, body: { memberAccess: 'write' } });
  await place(other, adminsGroup);
  expect(await applied()).toEqual([]);
  await place(admin, await addGroup(admin, 'sv'));
  expect(await applied()).toEqual(['sv']);
});

test('only those who may write set languages, and only admins those of the installation', async () => {
  const stranger = (await (await server.addPerson()).withKey()).client;
  const body = { languages: ['en'] };
  const params = { collectionID: await addGroup(client, 'en') };
  await expect(stranger.setDeviceLanguages({ params: ofDevice(), body })).rejects.toMatchObject({ status: 404 });
  await expect(stranger.getDeviceLanguages({ params: ofDevice() })).rejects.toMatchObject({ status: 404 });
  await expect(stranger.setCollectionLanguages({ params, body })).rejects.toMatchObject({ status: 404 });
  await expect(client.setInstallationLanguages({ body })).rejects.toMatchObject({ status: 403 });
  expect(await stranger.getInstallationLanguages()).toEqual({ languages: [], appliedLanguages: [] });
});

test.each([['klingonisch'], ['xx'], ['en_GB'], ['e'], ['']])('%j is no language', async (tag) => {
  const set = client.setDeviceLanguages({ params: ofDevice(), body: { languages: ['en', tag] } });
  await expect(set).rejects.toMatchObject({ status: 400, message: expect.stringContaining('languages[1]') });
});

test('the engine gets the languages that apply, without regions, and those of recent clips', async () => {
  await captionOf(client, await recorder.add(tinyWav(1)));
  await captionOf(client, await recorder.add(tinyWav(1)));
  expect(engines.asked.map(({ languages, recentLanguages }) => [languages, recentLanguages])).toEqual([
    [[], {}],
    [[], { en: 1 }],
  ]);
  await setDevice('en-GB', 'en-US');
  await captionOf(client, await recorder.add(tinyWav(1)));
  expect(engines.asked.at(-1)).toMatchObject({ languages: ['en'] });
});

test('words whose language is in doubt are no recent language', async () => {
  engines.mistakenFor = 'zh';
  await captionOf(client, await recorder.add(tinyWav(1)));
  await captionOf(client, await recorder.add(tinyWav(1)));
  expect(engines.asked.at(-1)?.recentLanguages).toEqual({});
});

test('the settings of a device and of a collection go with them', async () => {
  const collectionID = await addGroup(client, 'en');
  await setDevice('en');
  await client.deleteCollection({ params: { collectionID } });
  await client.deleteDevice({ params: ofDevice() });
  expect(await server.db`select 1 from spoken_languages`).toEqual([]);
});
