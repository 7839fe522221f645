import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { say } from '../caption-search/tests/speech.ts';
import { addDevice } from '../event/tests/fleet.ts';
import { sweepStart, sweepWords } from './word-sweep.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('a word is removed from the list when no transcript contains it any more', async () => {
  const { db } = server;
  const { client } = await (await server.addPerson()).withKey();
  const device = await addDevice(client);
  await say(db, client, device, 1, 'the quokka was here');
  const removed = await say(db, client, device, 100, 'a numbat and quokkas');
  const listed = async () =>
    (await db<{ word: string }[]>`select word from caption_words order by word`).map(({ word }) => word);
  const all = ['a', 'and', 'here', 'numbat', 'quokka', 'quokkas', 'the', 'was'];
  expect(await listed()).toEqual(all);
  let place = await sweepWords(db, sweepStart);
  expect(await listed()).toEqual(all);
  await client.deleteAudioClip({ params: { audioClipID: removed.key } });
  place = await sweepWords(db, place);
  expect(await listed()).toEqual(['a', 'and', 'here', 'quokka', 'the', 'was']);
  // A transcript that commits after the removal, and did not list its word because it was listed already.
  await say(db, client, device, 200, 'the numbat again');
  await db`delete from caption_words where word = 'numbat'`;
  await sweepWords(db, place);
  expect(await listed()).toContain('numbat');
});
