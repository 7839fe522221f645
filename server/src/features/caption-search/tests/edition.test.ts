import { currentEdition, startRewriting } from '@earshot/server/features/caption-index/edition';
import { findEdition } from '@earshot/server/features/caption-index/edition-queries';
import { silentLog } from '@earshot/server/testing/log';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addDevice } from '../../event/tests/fleet.ts';
import { say } from './speech.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('captions of another edition are indexed again, from where the last run stopped', async () => {
  const { db } = server;
  const { client } = await (await server.addPerson()).withKey();
  const device = await addDevice(client);
  const passed = await say(db, client, device, 1, 'the heron was here');
  const first = await say(db, client, device, 2, 'the heron flew off');
  const last = await say(db, client, device, 3, 'a heron came back');
  const found = async () => {
    const { results } = await client.searchCaptions({ query: { order: 'asc' }, body: { searchText: 'heron' } });
    return results.map(({ key }) => key);
  };
  await vi.waitUntil(async () => (await findEdition(db)).edition === currentEdition);
  await db`update caption_search set text = ' ardea ', grams = '{}'`;
  await db`update caption_search_edition set edition = ${currentEdition - 1}, next_clip_id = ${first.key}`;
  expect(await found()).toEqual([]);

  const stop = startRewriting(db, silentLog);
  await vi.waitUntil(async () => (await findEdition(db)).edition === currentEdition);
  await stop();
  expect(await found()).toEqual([first.key, last.key]);
  expect(await db`select text from caption_search where audio_clip_id = ${passed.key}`).toEqual([{ text: ' ardea ' }]);
});
