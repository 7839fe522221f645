import type { Client } from '@earshot/client/client';
import { mostSavedSearches } from '@earshot/contract/saved-search';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, expect, test } from 'vitest';

let server: SharedServer;
let client: Client;
let userID: number;
beforeAll(async () => {
  server = await sharedTestServer();
  const person = await server.addPerson();
  userID = person.userID;
  client = (await person.withKey()).client;
});

const search = { searchText: '"north gate"', deviceIDList: [5], startEpoch: 10, endEpoch: 20 };

test('a person can save, read, change and remove searches', async () => {
  const saved = await client.createSavedSearch({ body: { searchName: 'Gate', search } });
  expect(saved).toMatchObject({ userID, searchName: 'Gate', search, createdBy: userID });
  const params = { savedSearchID: saved.key ?? 0 };
  expect(await client.getSavedSearch({ params })).toEqual(saved);
  const other = await client.createSavedSearch({ body: { searchName: 'Owl', search: { searchText: 'owl' } } });
  expect(await client.listSavedSearches()).toEqual([other, saved]);
  await client.updateSavedSearch({ params, body: { searchName: 'North' } });
  expect(await client.getSavedSearch({ params })).toMatchObject({
    searchName: 'North',
    search,
    lastModifiedBy: userID,
  });
  await client.updateSavedSearch({ params, body: { search: { searchText: 'south' } } });
  expect((await client.getSavedSearch({ params })).search).toEqual({ searchText: 'south' });
  await client.deleteSavedSearch({ params });
  await expect(client.getSavedSearch({ params })).rejects.toMatchObject({ status: 404 });
  expect(await client.listSavedSearches()).toEqual([other]);
});

test('no other person can see them, also not an admin', async () => {
  const { key = 0 } = await client.createSavedSearch({ body: { searchName: 'Gate', search } });
  const params = { savedSearchID: key };
  for (const { session } of [server.admin, await server.addPerson()]) {
    expect(await session.listSavedSearches()).toEqual([]);
    await expect(session.getSavedSearch({ params })).rejects.toMatchObject({ status: 404 });
    await expect(session.updateSavedSearch({ params, body: { searchName: 'Mine' } })).rejects.toMatchObject({
      status: 404,
    });
    await expect(session.deleteSavedSearch({ params })).rejects.toMatchObject({ status: 404 });
  }
  expect((await client.getSavedSearch({ params })).searchName).toBe('Gate');
});

test('only valid searches are saved', async () => {
  const save = (body: object) => client.createSavedSearch({ body: body as never });
  for (const body of [
    { searchName: '', search },
    { searchName: 'x' },
    { searchName: 'x', search: {} },
    { searchName: 'x', search: { searchText: '?!' } },
    { searchName: 'x', search: { searchText: 'a', startEpoch: 5, endEpoch: 4 } },
  ]) {
    await expect(save(body)).rejects.toMatchObject({ status: 400 });
  }
  const { search: kept } = await save({ searchName: 'x', search: { searchText: 'a', colour: 'red' } });
  expect(kept).toEqual({ searchText: 'a' });
});

test('the number of saved searches is limited', async () => {
  const { session, userID: collector } = await server.addPerson();
  await server.db`
    insert into saved_searches (user_id, search_name, search)
    select ${collector}, 'n', '{"searchText":"a"}'::jsonb from generate_series(2, ${mostSavedSearches}::int)`;
  await session.createSavedSearch({ body: { searchName: 'last', search } });
  await expect(session.createSavedSearch({ body: { searchName: 'more', search } })).rejects.toMatchObject({
    status: 409,
  });
  expect(await session.listSavedSearches()).toHaveLength(mostSavedSearches);
});
