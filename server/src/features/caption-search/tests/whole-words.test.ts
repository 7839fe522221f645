import type { Client } from '@earshot/client/client';
import { findMatch, necessaryWords, readTerms, readText } from '@earshot/contract/words/public';
import { contains, mayContain } from '@earshot/server/features/caption-index/public';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice } from '../../event/tests/fleet.ts';
import { say } from './speech.ts';

/*
 * `wholeWords` finds what the words of a rule mean. The meaning is in the contract, as a function of the words of one
 * caption; the server has it as a condition of SQL, as grams, and as necessary words. All must agree.
 */

let server: SharedServer;
let client: Client;
let device: Device;
beforeAll(async () => {
  server = await sharedTestServer();
  client = (await (await server.addPerson()).withKey()).client;
  device = await addDevice(client);
});

const found = async (searchText: string, deviceID: number): Promise<readonly number[]> => {
  const { total, results } = await client.searchCaptions({
    query: { limit: 100, order: 'asc' },
    body: { searchText, wholeWords: true, deviceIDList: [deviceID] },
  });
  expect(total).toBe(results.length);
  return results.map(({ key = 0 }) => key);
};

describe('a search for whole words', () => {
  const day = 86_400;
  const transcripts = {
    gate: 'A truck stands at the north gate.',
    gates: 'All trucks to the gates!',
    parts: 'Northern firetrucks, and a gated road.',
    code: 'Call nine one one, this is K nine.',
    number: 'Code 911 and K9.',
    other: 'Nineteen of eleven hundred.',
    dash: 'An e-mail for Dr. Fireman',
  };
  const names = new Map<number, string>();
  beforeAll(async () => {
    for (const [at, [name, transcript]] of Object.entries(transcripts).entries())
      names.set((await say(server.db, client, device, day + at * 600, transcript)).key, name);
    await say(server.db, client, device, 2 * day, 'the end of the long');
    await say(server.db, client, device, 2 * day + 61, 'road to nowhere');
  });

  test.each([
    ['truck', 'gate gates'],
    ['TRUCKS', 'gate gates'],
    ['gate', 'gate gates'],
    ['north', 'gate'],
    ['nor', ''],
    ['"trucks"', 'gates'],
    ['"truck"', 'gate'],
    ['"north gate"', 'gate'],
    ['"orth gat"', ''],
    ['911', 'code number'],
    ['"911"', 'number'],
    ['nine eleven', 'code number'],
    ['eleven', 'code other'],
    ['K-9', 'code number'],
    ['emails', 'dash'],
    ['doctor firemen', 'dash'],
    ['fire', ''],
    ['trukc', ''],
    ['long road', ''],
    ['the they', ''],
  ])('%s finds %s', async (searchText, expected) => {
    const keys = await found(searchText, device.deviceID);
    expect(keys.map((key) => names.get(key)).join(' ')).toBe(expected);
  });

  test('without it, parts of words, similar words and the next clip match too', async () => {
    const totals = [];
    for (const searchText of ['nor', 'trukc', 'long road'])
      totals.push((await client.searchCaptions({ body: { searchText, deviceIDList: [device.deviceID] } })).total);
    expect(totals).toEqual([2, 1, 1]);
  });

  test('facets count the same clips, and a saved search keeps the choice', async () => {
    const search = { searchText: 'truck', wholeWords: true, deviceIDList: [device.deviceID] };
    expect((await client.searchCaptionFacets({ body: search })).total).toBe(2);
    expect((await client.searchCaptionFacets({ body: { ...search, wholeWords: false } })).total).toBe(3);
    const { key = 0 } = await client.createSavedSearch({ body: { searchName: 'trucks', search } });
    expect((await client.getSavedSearch({ params: { savedSearchID: key } })).search).toEqual(search);
  });
});

const said = (
  `the there gate gates gated truck trucks box boxes city cities bus k 9 k9 7 seven nine one 911 eleven 1 91 ninety six 96 ` +
  `oh four 104 ten 10 unit e mail email emails dr doctor st saint street they are theyre cannot can not july 4 4th fourth a b ` +
  `abc 12 twelve women woman 3 5 point 東 京 tru ck adam boy alpha bravo charlie i95 interstate i engine e7 e mph miles per hour half past`
).split(/\s+/u);
const sentence = fc.array(fc.constantFrom(...said), { minLength: 1, maxLength: 7 }).map((words) => words.join(' '));
const asked = fc
  .array(fc.tuple(fc.constantFrom(...said), fc.constantFrom(' ', ' ', ' ', '-', '" "')), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.flat().join('').replace(/" "$/u, ''))
  .chain((text) => fc.constantFrom(text, text, `"${text}"`));

test('the function, the condition of SQL, its grams and the necessary words agree', async () => {
  const other = await addDevice(client);
  const captions = new Map<number, string>();
  for (const [at, text] of fc.sample(sentence, { numRuns: 80, seed: 5 }).entries())
    captions.set((await say(server.db, client, other, at * 600, text)).key, text);
  let matches = 0;
  await fc.assert(
    fc.asyncProperty(asked, async (searchText) => {
      const terms = readTerms(searchText, 'words');
      if (terms.length === 0) return;
      const { db } = server;
      const rows = await db<{ key: number; isMatch: boolean; mayMatch: boolean }[]>`
        select s.audio_clip_id as key, ${contains(db, db`s.text`, terms)} as "isMatch",
          (${mayContain(db, db`s.grams`, terms)}) as "mayMatch"
        from caption_search s where s.device_id = ${other.deviceID}`;
      const [necessary, expected] = [new Set(necessaryWords(terms)), new Set<number>()];
      for (const { key, isMatch, mayMatch } of rows) {
        const text = readText(captions.get(key)!);
        const ranges = findMatch(text, terms);
        const about = `${searchText} in ${captions.get(key)}`;
        expect(isMatch, about).toBe(ranges !== undefined);
        if (!ranges) continue;
        expected.add(key);
        expect({ mayMatch, isNecessary: text.words.some((word) => necessary.has(word.text)) }, about).toEqual({
          mayMatch: true,
          isNecessary: true,
        });
        expect(ranges.length, about).toBeGreaterThan(0);
      }
      matches += expected.size;
      expect(new Set(await found(searchText, other.deviceID)), searchText).toEqual(expected);
    }),
    { numRuns: 150, seed: 20_261_118 },
  );
  expect(matches).toBeGreaterThan(100);
});
