import type { Client } from '@earshot/client/client';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, expect, test } from 'vitest';
import { addDevice } from '../../event/tests/fleet.ts';
import { hardSearches, type Transcript, transcripts } from './hard-searches.ts';
import { say } from './speech.ts';

const hour = 3_600;
const clipSeconds = 60;

let server: SharedServer;
let client: Client;
const names = new Map<number, Transcript>();
beforeAll(async () => {
  server = await sharedTestServer();
  client = (await (await server.addPerson()).withKey()).client;
  const device = await addDevice(client);
  for (const [at, [name, said]] of Object.entries(transcripts).entries()) {
    const [first, second] = typeof said === 'string' ? [said] : said;
    const { key } = await say(server.db, client, device, at * hour, first);
    names.set(key, name as Transcript);
    if (second !== undefined) await say(server.db, client, device, at * hour + clipSeconds + 1, second);
  }
});

const search = async (searchText: string, order: string) => {
  const { total, results } = await client.searchCaptions({ query: { order, limit: 100 }, body: { searchText } });
  expect(total).toBe(results.length);
  const firstSimilar = results.findIndex(({ isSimilar }) => isSimilar);
  const exact = firstSimilar === -1 ? results : results.slice(0, firstSimilar);
  const namesOf = (hits: typeof results) => hits.map(({ key = 0 }) => names.get(key) ?? `clip ${key}`).toSorted();
  return { exact: namesOf(exact), similar: namesOf(results.slice(exact.length)) };
};

test.each(hardSearches)('$searchText', async ({ searchText, exact, similar = [] }) => {
  const expected = { exact: exact.toSorted(), similar: similar.toSorted() };
  for (const order of ['desc', 'asc', 'relevance']) expect(await search(searchText, order), order).toEqual(expected);
});
