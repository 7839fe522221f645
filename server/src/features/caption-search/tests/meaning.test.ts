import type { Client } from '@earshot/client/client';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice } from '../../event/tests/fleet.ts';
import { say } from './speech.ts';

let server: SharedServer;
let client: Client;
let device: Device;
beforeAll(async () => {
  server = await sharedTestServer();
});
beforeEach(async () => {
  client = (await (await server.addPerson()).withKey()).client;
  device = await addDevice(client);
});

/** The indexes of the transcripts that are found by the searched words, not by similar ones. */
async function found(transcripts: readonly string[], ...searches: readonly string[]): Promise<number[][]> {
  for (const [startTime, transcript] of transcripts.entries())
    await say(server.db, client, device, startTime, transcript);
  const all: number[][] = [];
  for (const searchText of searches) {
    const { total, results } = await client.searchCaptions({ query: { order: 'asc' }, body: { searchText } });
    expect(total).toBe(results.length);
    all.push(results.filter(({ isSimilar }) => !isSimilar).map(({ startTime }) => startTime ?? -1));
  }
  return all;
}

/** Each search with its expected matches. */
const table = async (transcripts: readonly string[], rows: readonly (readonly [string, readonly number[]])[]) => {
  const answers = await found(transcripts, ...rows.map(([search]) => search));
  expect(rows.map(([search], row) => [search, answers[row]])).toEqual(rows);
};

test('case, accents and Unicode forms are ignored', async () => {
  await table(
    ['The Café is OPEN', 'cafe\u0301 olé', 'caf\u00e9s', 'nothing', 'Ångström naïve', 'ＣＡＦＥ'],
    [
      ['café', [0, 1, 2, 5]],
      ['CAFE', [0, 1, 2, 5]],
      ['cafe\u0301', [0, 1, 2, 5]],
      ['ole', [1]],
      ['angstrom', [4]],
      ['NAIVE', [4]],
    ],
  );
});

test('a part of a word, down to one letter', async () => {
  await table(
    ['northern lights', 'the north', 'thorn', 'x'],
    [
      ['north', [0, 1]],
      ['orth', [0, 1]],
      ['er', [0]],
      ['or', [0, 1, 2]],
      ['n', [0, 1, 2]],
      ['x', [3]],
      ['xx', []],
      ['northernn', []],
    ],
  );
});

test('several words must all occur, in any place', async () => {
  await table(
    ['the dog at the gate', 'gate of the dog', 'a dog', 'a gate'],
    [
      ['dog gate', [0, 1]],
      ['  gate\t\ndog ', [0, 1]],
      ['dog dog', [0, 1, 2]],
      ['gate cat', []],
    ],
  );
});

test('quotes mean a sequence, whose ends may be parts of words', async () => {
  await table(
    ['the north gate', 'north of the gate', 'gate north', 'up north. Gates', 'north-gate'],
    [
      ['"north gate"', [0, 3, 4]],
      ['"orth gat"', [0, 3, 4]],
      ['“north gate”', [0, 3, 4]],
      ['"north of" gate', [1]],
      ['"gate" "north"', [0, 1, 2, 3, 4]],
      ['"northgate"', []],
      ['"  North,  GATE! "', [0, 3, 4]],
    ],
  );
});

test('unclosed and empty quotes are ignored', async () => {
  await table(
    ['north gate', 'gate north'],
    [
      ['"gate north', [0, 1]],
      ['gate" north', [0, 1]],
      ['"" gate', [0, 1]],
      ['"gate north" "', [1]],
    ],
  );
});

test('punctuation is ignored; words that it joins are a sequence', async () => {
  await table(
    ['Send an e-mail, now!', 'mail the letter e', '3.5 percent', '5 to 3', '100% a_b \\ %'],
    [
      ['e-mail', [0]],
      ['e mail', [0, 1]],
      ['mail,', [0, 1]],
      ['(now)', [0]],
      ['3.5', [2]],
      ['3 5', [2, 3]],
      ['100%', [4]],
      ['a_b', [4]],
      ['now ♪', [0]],
    ],
  );
});

test('apostrophes are ignored, and a short form matches its two words', async () => {
  await table(
    ['I don’t know', "don't", 'dont', 'do not', "'quoted'"],
    [
      ["don't", [0, 1, 2, 3]],
      ['dont', [0, 1, 2, 3]],
      ['don’t', [0, 1, 2, 3]],
      ['do not', [0, 1, 2, 3]],
      ['"don’t"', [0, 1, 2]],
      ['quoted', [4]],
    ],
  );
});

test('different forms of the same letter match', async () => {
  await table(
    ['Straße', 'STRASSE', 'ﬁnal ﬂight', 'ΟΔΟΣ', 'οδός', 'İstanbul', 'x² ½', 'co\u00adop', 'שָׁלוֹם', 'مَرْحَبًا'],
    [
      ['strasse', [0, 1]],
      ['ß', [0, 1]],
      ['final', [2]],
      ['flight', [2]],
      ['οδοσ', [3, 4]],
      ['ΟΔΌς', [3, 4]],
      ['istanbul', [5]],
      ['x2', [6]],
      ['coop', [7]],
      ['שלום', [8]],
      ['مرحبا', [9]],
    ],
  );
});

test('scripts without spaces: each character is a word, and adjacent ones are a sequence', async () => {
  await table(
    ['東京都に行く', '京都の東', 'ภาษาไทย', 'iPhone手机', 'がか', '한국어 방송', 'ｶﾞ'],
    [
      ['京都', [0, 1]],
      ['東京', [0]],
      ['東', [0, 1]],
      ['東 京', [0, 1]],
      ['ไทย', [2]],
      ['手机', [3]],
      ['phone手', [3]],
      ['か', [4]],
      ['が', [4]],
      ['ガ', [6]],
      ['한국', [5]],
    ],
  );
});

test('long words, long searches, characters beyond the basic plane', async () => {
  const long = 'pneumono'.repeat(60);
  const many = Array.from({ length: 50 }, (_, at) => `word${at}`);
  await table(
    [`so ${long} it is`, many.join(' '), '𐐔𐐯𐑅 𝒜bc', many.slice(1).join(' ')],
    [
      [long, [0]],
      ['monopneumo', [0]],
      [many.toReversed().join(' '), [1]],
      ['𐐼𐐯', [2]],
      ['abc', [2]],
      ['word49', [1, 3]],
      [many.join(' ') + ' other', []],
    ],
  );
});

describe('refused', () => {
  const ask = (body: string, query = '') =>
    fetch(new URL(`/v1/audioclip/list/search/caption${query}`, server.url), {
      method: 'POST',
      headers: { cookie: server.admin.cookie, 'content-type': 'application/json' },
      body,
    });

  test('empty and invalid search texts are refused', async () => {
    for (const body of [
      '{}',
      '{"searchText":""}',
      '{"searchText":"  "}',
      '{"searchText":"\\"?!\\" … ♪"}',
      '{"searchText":"a\\u0000"}',
      '{"searchText":"a\\ud800"}',
      JSON.stringify({ searchText: 'a'.repeat(1001) }),
      '{"searchText":"a","startEpoch":5,"endEpoch":4}',
      '{"searchText":5}',
    ]) {
      expect((await ask(body)).status, body).toBe(400);
    }
  });

  test('invalid pages and orders are refused', async () => {
    for (const [query, status] of [
      ['?offset=10001', 400],
      ['?offset=-1', 400],
      ['?limit=0', 400],
      ['?limit=101', 400],
      ['?order=newest', 400],
      ['?offset=a', 400],
      ['?offset=10000&limit=100', 200],
      ['?order=RELEVANCE', 200],
      ['?order=Asc&limit=1', 200],
    ] as const) {
      expect((await ask('{"searchText":"a"}', query)).status, query).toBe(status);
    }
  });
});
