import { randomUUID } from 'node:crypto';
import type { Client } from '@earshot/client/client';
import { mostTerms } from '@earshot/contract/vocabulary';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { listOtherForms, findVocabulary } from '@earshot/server/features/vocabulary/public';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addRecorder, captionOf } from '../../caption/tests/captioning.ts';
import { createTestEars } from '../../caption/tests/test-engines.ts';
import { tinyWav } from '../../file/tests/sound.ts';

const engines = createTestEars();
let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await startTestServer({}, { engines });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.db`delete from vocabulary_terms`;
  client = (await (await server.addPerson()).withKey()).client;
});

const addGroup = async (owner: Client) => {
  const { key: collectionID = 0 } = await owner.createCollection({ body: { collectionName: randomUUID() } });
  return { collectionID };
};
const place = (owner: Client, collectionItemID: number, deviceID: number) =>
  owner.addCollectionItem({ params: { collectionItemID }, body: { itemType: 'device', itemID: deviceID } });
const forms = (terms: readonly { term?: string; spokenAs?: string[] }[]) =>
  terms.map(({ term, spokenAs }) => [term, spokenAs]);

test('terms are added, replaced and removed without regard to case, and listed by term', async () => {
  const admin = server.admin.session;
  const terms = [{ term: 'Quayside', spokenAs: ['key side'] }, { term: 'engine 96' }];
  expect(forms(await admin.addVocabulary({ body: { terms } }))).toEqual([
    ['engine 96', []],
    ['Quayside', ['key side']],
  ]);
  await admin.addVocabulary({ body: { terms: [{ term: 'QUAYSIDE', spokenAs: ['kay side'] }] } });
  expect(forms(await client.listVocabulary())).toEqual([
    ['engine 96', []],
    ['QUAYSIDE', ['kay side']],
  ]);
  expect(forms(await admin.removeVocabulary({ body: { terms: ['quayside', 'unknown'] } }))).toEqual([
    ['engine 96', []],
  ]);
});

test('a vocabulary has a limit, and a fault names the term', async () => {
  const group = await addGroup(client);
  const many = Array.from({ length: mostTerms }, (_, at) => ({ term: `term ${at}` }));
  expect(await client.addGroupVocabulary({ params: group, body: { terms: many } })).toHaveLength(mostTerms);
  const add = (...terms: { term: string }[]) => client.addGroupVocabulary({ params: group, body: { terms } });
  await expect(add({ term: 'one more' })).rejects.toMatchObject({ status: 409 });
  // A term that exists is not one more.
  expect(await add({ term: 'Term 7' })).toHaveLength(mostTerms);
  await expect(add({ term: 'a' }, { term: '—' })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('terms[1].term'),
  });
  await expect(add({ term: 'a' }, { term: 'A' })).rejects.toMatchObject({ status: 400 });
});

test('concurrent changes of a full vocabulary do not exceed the limit', async () => {
  const group = await addGroup(client);
  const many = Array.from({ length: mostTerms - 2 }, (_, at) => ({ term: `term ${at}` }));
  await client.addGroupVocabulary({ params: group, body: { terms: many } });
  await Promise.allSettled(
    Array.from({ length: 8 }, (_, at) =>
      client.addGroupVocabulary({ params: group, body: { terms: [{ term: `new ${at}` }] } }),
    ),
  );
  expect(await client.listGroupVocabulary({ params: group })).toHaveLength(mostTerms);
});

test('the engine gets the terms of the installation and of the groups that share the device, not of bookmarks', async () => {
  await server.admin.session.addVocabulary({ body: { terms: [{ term: 'everywhere' }] } });
  const recorder = await addRecorder(client);
  const group = await addGroup(client);
  await place(client, group.collectionID, recorder.deviceID);
  await client.addGroupVocabulary({ params: group, body: { terms: [{ term: 'here', spokenAs: ['hear'] }] } });
  // A member who may read the device places it into a collection of their own: that is a bookmark.
  const stranger = await server.addPerson();
  const member = { itemType: 'user', itemID: stranger.userID } as const;
  await client.addCollectionItem({ params: { collectionItemID: group.collectionID }, body: member });
  const own = await addGroup(stranger.session);
  await place(stranger.session, own.collectionID, recorder.deviceID);
  await stranger.session.addGroupVocabulary({ params: own, body: { terms: [{ term: 'not here' }] } });

  engines.asked.length = 0;
  const clipID = await recorder.add(tinyWav(1));
  await captionOf(client, clipID);
  expect(engines.asked).toEqual([{ languages: [], recentLanguages: {}, vocabulary: ['here', 'everywhere'] }]);
  expect(await findVocabulary(server.db, recorder.deviceID)).toEqual(['here', 'everywhere']);
});

test('variants are found from every form, within the vocabularies that the caller may read', async () => {
  const owner = await server.addPerson();
  const group = await addGroup(owner.session);
  const terms = [{ term: 'Quayside', spokenAs: ['key side', 'kay side'] }];
  await owner.session.addGroupVocabulary({ params: group, body: { terms } });
  const caller = { userID: owner.userID, role: 'member', credential: 'test' } as const;
  const find = async (who: typeof caller, ...texts: string[]) => [...(await listOtherForms(server.db, who, texts))];
  expect(await find(caller, 'KEY side', 'quayside', 'quay')).toEqual([
    ['KEY side', ['quayside', 'kay side']],
    ['quayside', ['key side', 'kay side']],
  ]);
  const stranger = { ...caller, userID: (await server.addPerson()).userID };
  expect(await find(stranger, 'quayside')).toEqual([]);
});

test('variants are found whatever the case, accents, blanks and punctuation of an entry', async () => {
  const owner = await server.addPerson();
  const group = await addGroup(owner.session);
  const terms = [
    { term: 'José Ñúñez', spokenAs: ['hose-a "noon yes"', 'Großmann'] },
    { term: "O'Hara", spokenAs: ['oh hara', '—'] },
    { term: 'no forms' },
  ];
  await owner.session.addGroupVocabulary({ params: group, body: { terms } });
  const caller = { userID: owner.userID, role: 'member', credential: 'test' } as const;
  const found = await listOtherForms(server.db, caller, [
    'jose nunez',
    'grossmann',
    'ohara',
    'o hara',
    'no forms',
    'yes',
  ]);
  expect([...found]).toEqual([
    ['jose nunez', ['hose a noon yes', 'grossmann']],
    ['grossmann', ['jose nunez', 'hose a noon yes']],
    ['ohara', ['oh hara']],
    ['o hara', ['oh hara']],
  ]);
});

test('a removed collection takes its vocabulary with it', async () => {
  const group = await addGroup(client);
  await client.addGroupVocabulary({ params: group, body: { terms: [{ term: 'here' }] } });
  await client.deleteCollection({ params: group });
  expect(await server.db`select 1 from vocabulary_terms`).toHaveLength(0);
});
