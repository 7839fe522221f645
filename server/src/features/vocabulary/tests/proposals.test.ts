import type { Client } from '@earshot/client/client';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Recorder } from '../../caption/tests/captioning.ts';
import { addRecorder, captionOf } from '../../caption/tests/captioning.ts';
import { createTestEars } from '../../caption/tests/test-engines.ts';
import { tinyWav } from '../../file/tests/sound.ts';

let server: TestServer;
let client: Client;
let recorder: Recorder;
beforeAll(async () => {
  server = await startTestServer({}, { engines: createTestEars() });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.db`delete from vocabulary_terms`;
  await server.db`delete from corrected_terms`;
  client = (await (await server.addPerson()).withKey()).client;
  recorder = await addRecorder(client);
});

/** A clip of `one two three four.`, corrected to this text. */
const correct = async (transcript: string): Promise<number> => {
  const captionID = await recorder.add(tinyWav(4));
  await captionOf(client, captionID);
  await client.correctCaption({ params: { captionID }, body: { transcript } });
  return captionID;
};
const proposed = async (caller = client) =>
  (await caller.listVocabularyProposals()).map(({ term, heardAs, clipCount }) => [term, heardAs, clipCount]);

test('a corrected name is proposed with what was written there, and by how many clips', async () => {
  const first = await correct('one Tooting three four.');
  const second = await correct('one Tooting four.');
  await correct('One too three K9.');
  expect(await proposed()).toEqual([
    ['Tooting', ['two', 'two three'], 2],
    ['K9', ['four'], 1],
  ]);
  expect((await client.listVocabularyProposals())[0]?.audioClips).toEqual([second, first]);
});

test('proposals are only for people who may read the clips, and go with them', async () => {
  const audioClipID = await correct('one Tooting three four.');
  const stranger = (await (await server.addPerson()).withKey()).client;
  expect(await proposed(stranger)).toEqual([]);
  expect(await proposed(server.admin.session)).toContainEqual(['Tooting', ['two'], 1]);
  await client.deleteAudioClip({ params: { audioClipID } });
  expect(await proposed()).toEqual([]);
});

test('an accepted proposal is a term from then on, also when its clips are gone', async () => {
  const audioClipID = await correct('one Tooting three four.');
  const { key: collectionID = 0 } = await client.createCollection({ body: { collectionName: 'South' } });
  const body = { itemType: 'device', itemID: recorder.deviceID } as const;
  expect(await client.listGroupVocabularyProposals({ params: { collectionID } })).toEqual([]);
  await client.addCollectionItem({ params: { collectionItemID: collectionID }, body });
  const [proposal] = await client.listGroupVocabularyProposals({ params: { collectionID } });
  expect(proposal).toMatchObject({ term: 'Tooting', heardAs: ['two'] });
  const terms = [{ term: 'Tooting', spokenAs: ['two'] }];
  await client.addGroupVocabulary({ params: { collectionID }, body: { terms } });
  expect(await client.listGroupVocabularyProposals({ params: { collectionID } })).toEqual([]);
  await client.deleteAudioClip({ params: { audioClipID } });
  expect(await client.listGroupVocabulary({ params: { collectionID } })).toMatchObject(terms);
});

test('a dismissed proposal does not come back, and only people who may change the device dismiss it', async () => {
  await correct('one Tooting three four.');
  const stranger = (await (await server.addPerson()).withKey()).client;
  await stranger.dismissVocabularyProposal({ body: { term: 'Tooting' } });
  expect(await proposed()).toHaveLength(1);
  await client.dismissVocabularyProposal({ body: { term: 'tooting' } });
  expect(await proposed()).toEqual([]);
});

test('a name that a later correction takes back is not proposed', async () => {
  const captionID = await correct('one Tooting three four.');
  await client.correctCaption({ params: { captionID }, body: { transcript: 'one two three Sree.' } });
  expect(await proposed()).toEqual([['Sree', ['four'], 1]]);
});
