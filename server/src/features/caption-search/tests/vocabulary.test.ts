import { randomUUID } from 'node:crypto';
import type { Client } from '@earshot/client/client';
import { mostSimilarHits } from '@earshot/contract/caption-search';
import { mostTerms } from '@earshot/contract/vocabulary';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice } from '../../event/tests/fleet.ts';
import { caption, say } from './speech.ts';

/* Other forms of searched words, from the vocabularies that the caller may read. */

let server: SharedServer;
let userID: number;
let client: Client;
let device: Device;
beforeAll(async () => {
  server = await sharedTestServer();
});
beforeEach(async () => {
  const person = await server.addPerson();
  userID = person.userID;
  client = (await person.withKey()).client;
  device = await addDevice(client);
});

type Entry = { term: string; spokenAs?: string[] };
const kowalczyk: Entry = { term: 'Kowalczyk', spokenAs: ['kovalchik', 'cowal chick'] };

async function addGroup(owner: Client, ...terms: Entry[]): Promise<number> {
  const { key: collectionID = 0 } = await owner.createCollection({ body: { collectionName: randomUUID() } });
  await owner.addGroupVocabulary({ params: { collectionID }, body: { terms } });
  return collectionID;
}

const hear = (at: number, transcript: string) => say(server.db, client, device, at, transcript);
const find = (searchText: string, query: object = {}, who = client) =>
  who.searchCaptions({ query, body: { searchText } });
const startsOf = async (searchText: string, query: object = {}, who = client) =>
  (await find(searchText, query, who)).results.map(({ startTime }) => startTime);

test('each form of an entry finds the others, after the clips that contain it', async () => {
  await addGroup(client, kowalczyk);
  await hear(100, 'Officer Kowalczyk is here');
  await hear(200, 'ask for kovalchik please');
  await hear(300, 'a cowal chick called');
  await hear(400, 'nobody else, a chick or a cow');
  expect(await startsOf('Kowalczyk')).toEqual([100, 300, 200]);
  expect(await startsOf('kovalchik')).toEqual([200, 300, 100]);
  expect(await startsOf('cowal chick')).toEqual([300, 200, 100]);
  expect(await startsOf('cowal-chick', { order: 'asc' })).toEqual([300, 100, 200]);
  expect(await startsOf('KOWALCZYK', { order: 'relevance' })).toEqual([100, 300, 200]);
  const { total, similarTotal, results } = await find('kowalczyk');
  expect({ total, similarTotal }).toEqual({ total: 3, similarTotal: 2 });
  expect(
    results.map(({ isSimilar, similarWords, vocabularyWords }) => [isSimilar, similarWords, vocabularyWords]),
  ).toEqual([
    [undefined, undefined, undefined],
    [true, [], ['cowal chick']],
    [true, [], ['kovalchik']],
  ]);
  expect(results[1]!.matches.map(({ word }) => word)).toEqual(['cowal', 'chick']);
});

test('the other words of a search must occur too, and may be similar', async () => {
  await addGroup(client, kowalczyk);
  await hear(100, 'kovalchik took the ambulance');
  await hear(200, 'kovalchik took the train');
  expect(await startsOf('call Kowalczyk ambulance')).toEqual([]);
  expect(await startsOf('Kowalczyk ambulance')).toEqual([100]);
  expect(await startsOf('cowal chick train')).toEqual([200]);
  expect((await find('ambulence Kowalczyk')).results).toMatchObject([
    { startTime: 100, similarWords: ['ambulance'], vocabularyWords: ['kovalchik'] },
  ]);
});

test('a text in quotes is searched as it is', async () => {
  await addGroup(client, kowalczyk);
  await hear(100, 'ask for kovalchik please');
  expect(await startsOf('"Kowalczyk"')).toEqual([]);
  expect(await startsOf('"cowal chick"')).toEqual([]);
  expect(await startsOf('"please" Kowalczyk')).toEqual([100]);
});

test('numbers in an entry are found in all their forms', async () => {
  await addGroup(client, { term: 'E96', spokenAs: ['engine 96'] }, { term: 'Quarry Road', spokenAs: ['grid 1204'] });
  await hear(100, 'Engine ninety-six is responding');
  await hear(200, 'on grid twelve oh four');
  await hear(300, 'E96 is back');
  expect(await startsOf('E96')).toEqual([300, 100]);
  expect(await startsOf('engine nine six')).toEqual([300, 100]);
  expect(await startsOf('quarry road')).toEqual([200]);
  expect(await startsOf('quarry roads')).toEqual([200]);
});

test('pages, facets and saved searches have the same results', async () => {
  await addGroup(client, kowalczyk);
  for (let at = 1; at <= 6; at++) await hear(at * 100, at % 2 ? 'a kovalchik' : 'a Kowalczyk');
  const { search } = await client.createSavedSearch({
    body: { searchName: 'Officer', search: { searchText: 'kowalczyk' } },
  });
  const pages: (number | undefined)[] = [];
  for (let offset = 0; offset < 8; offset += 2) {
    const page = await client.searchCaptions({ query: { offset, limit: 2 }, body: search! });
    expect(page).toMatchObject({ total: 6, similarTotal: 3 });
    pages.push(...page.results.map(({ startTime }) => startTime));
  }
  expect(pages).toEqual([600, 400, 200, 500, 300, 100]);
  expect(await client.searchCaptionFacets({ body: search! })).toMatchObject({ total: 6, deviceList: [{ count: 6 }] });
});

test('only vocabularies that the caller may read count, and only clips that the caller may read are found', async () => {
  const stranger = await server.addPerson();
  const collectionID = await addGroup(stranger.session, { term: 'Wolverley', spokenAs: ['wool very'] });
  await say(server.db, stranger.session, await addDevice(stranger.session), 900, 'at wool very now');
  await hear(100, 'the wool very soft');
  expect(await startsOf('Wolverley')).toEqual([]);
  expect(await startsOf('Wolverley', {}, stranger.session)).toEqual([900]);
  const item = {
    params: { collectionItemID: collectionID },
    body: { itemType: 'user', itemID: userID },
  } as const;
  const { key: collectionItemID = 0 } = await stranger.session.addCollectionItem(item);
  expect(await startsOf('Wolverley')).toEqual([100]);
  await stranger.session.removeCollectionItem({ params: { collectionItemID } });
  expect(await startsOf('Wolverley')).toEqual([]);
});

test('the vocabulary of the installation counts for everybody', async () => {
  const terms = [{ term: 'Szczebrzeszyn', spokenAs: ['she breshin'] }];
  await server.admin.session.addVocabulary({ body: { terms } });
  onTestFinished(async () => {
    await server.admin.session.removeVocabulary({ body: { terms: ['Szczebrzeszyn'] } });
  });
  await hear(100, 'a train to she breshin');
  expect(await startsOf('szczebrzeszyn')).toEqual([100]);
});

test('an entry whose form is a common word adds a limited number of clips', async () => {
  await addGroup(client, { term: 'Tha', spokenAs: ['the'] });
  await server.db`
    with clips as (
      insert into audio_clips (device_id, start_ms, end_ms)
      select ${device.deviceID}, n * 1000000, n * 1000000 + 1000 from generate_series(1, 250) n returning key, device_id)
    insert into captions (audio_clip_id, device_id, transcript) select key, device_id, 'the gate' from clips`;
  const [first] = await server.db<{ key: number }[]>`select key from audio_clips where device_id = ${device.deviceID}`;
  await caption(server.db, { key: first!.key, deviceID: device.deviceID }, 'the gate');
  await server.db`
    insert into caption_search (audio_clip_id, device_id, start_ms, text, grams)
    select c.key, c.device_id, c.start_ms, s.text, s.grams from audio_clips c, caption_search s
    where c.device_id = ${device.deviceID} and s.audio_clip_id = ${first!.key} on conflict do nothing`;
  await hear(100, 'tha is here');
  const { total, similarTotal, results } = await find('tha');
  expect({ total, similarTotal }).toEqual({ total: mostSimilarHits + 1, similarTotal: mostSimilarHits });
  expect(results[0]).toMatchObject({ startTime: 100 });
});

test('full vocabularies with all their forms are searched, also by a long search', async () => {
  const many = Array.from({ length: mostTerms }, (_, at) => ({
    term: `Name${at}`,
    spokenAs: Array.from({ length: 10 }, (__, form) => `form${form} of name${at}`),
  }));
  await addGroup(client, ...many);
  await addGroup(client, ...many);
  await hear(100, 'we saw form7 of name499 there');
  await hear(
    200,
    many
      .slice(0, 5)
      .map(({ spokenAs }) => spokenAs[9])
      .join(' and '),
  );
  expect(await startsOf('name499')).toEqual([100]);
  expect(await startsOf('name0 name1 name2 name3 name4')).toEqual([200]);
});
