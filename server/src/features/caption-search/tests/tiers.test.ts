import type { Client } from '@earshot/client/client';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { announce } from '../../audio-clip/tests/recordings.ts';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice } from '../../event/tests/fleet.ts';
import { caption, say } from './speech.ts';

/* The groups of results: clips that contain the words, words across two clips, and similar words. */

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

const search = (
  searchText: string,
  query: { order?: string; offset?: number; limit?: number } = {},
  more: object = {},
) => client.searchCaptions({ query, body: { searchText, ...more } });
const startsOf = async (asked: ReturnType<typeof search>) => (await asked).results.map(({ startTime }) => startTime);

describe('similar words', () => {
  test('a hit says that it is similar, by which words, and where they were said', async () => {
    const { key } = await say(server.db, client, device, 1, 'The Ambulance is late');
    const { total, similarTotal, results } = await search('ambulence');
    expect({ total, similarTotal }).toEqual({ total: 1, similarTotal: 1 });
    expect(results[0]).toMatchObject({
      key,
      isSimilar: true,
      similarWords: ['ambulance'],
      matches: [{ startMs: 400, endMs: 750, word: 'Ambulance' }],
    });
  });

  test('come after all exact matches in every order, and pages join without gaps or repeats', async () => {
    for (let at = 0; at < 5; at++) await say(server.db, client, device, at * 100, at % 2 ? 'a knight' : 'a dark night');
    await say(server.db, client, device, 600, 'knight knight night');
    for (const [order, expected] of [
      ['desc', [600, 300, 100, 400, 200, 0]],
      ['asc', [100, 300, 600, 0, 200, 400]],
      ['relevance', [600, 300, 100, 400, 200, 0]],
    ] as const) {
      expect(await startsOf(search('knight', { order }))).toEqual(expected);
      const pages: (number | undefined)[] = [];
      for (let offset = 0; offset < 8; offset += 2) {
        const page = await search('knight', { order, offset, limit: 2 });
        expect(page).toMatchObject({ total: 6, similarTotal: 3 });
        pages.push(...page.results.map(({ startTime }) => startTime));
      }
      expect(pages).toEqual(expected);
    }
    const facets = await client.searchCaptionFacets({ body: { searchText: 'knight' } });
    expect(facets).toMatchObject({ total: 6, deviceList: [{ count: 6 }] });
  });

  test('only clips that the caller may read are found, and words of other people change nothing', async () => {
    const stranger = (await (await server.addPerson()).withKey()).client;
    const theirs = await addDevice(stranger);
    await say(server.db, stranger, theirs, 1, 'the zymurgist arrives');
    expect(await search('zymurgest')).toMatchObject({ total: 0, results: [] });
    await say(server.db, client, device, 1, 'our zymurgist arrives');
    expect(await startsOf(search('zymurgest'))).toEqual([1]);
    // A word that somebody else has said is treated like one that nobody has said.
    await say(server.db, stranger, theirs, 100, 'a zymurgest');
    expect(await startsOf(search('zymurgest'))).toEqual([1]);
  });

  test('of at most 200 clips', async () => {
    await server.db`
      with clips as (
        insert into audio_clips (device_id, start_ms, end_ms)
        select ${device.deviceID}, n * 1000000, n * 1000000 + 1000 from generate_series(1, 205) n returning key, device_id)
      insert into captions (audio_clip_id, device_id, transcript) select key, device_id, 'a kayak' from clips`;
    const [first] = await server.db<
      { key: number }[]
    >`select key from audio_clips where device_id = ${device.deviceID}`;
    await caption(server.db, { key: first!.key, deviceID: device.deviceID }, 'a kayak');
    await server.db`
      insert into caption_search (audio_clip_id, device_id, start_ms, text, grams)
      select c.key, c.device_id, c.start_ms, s.text, s.grams from audio_clips c, caption_search s
      where c.device_id = ${device.deviceID} and s.audio_clip_id = ${first!.key} on conflict do nothing`;
    const page = await search('kayack', { offset: 190, limit: 100 });
    expect(page).toMatchObject({ total: 200, similarTotal: 200 });
    expect(page.results).toHaveLength(10);
    expect((await search('kayack', { offset: 200 })).results).toEqual([]);
  });
});

describe('words across two clips', () => {
  const follow = async (gapSeconds: number, from = 1000, on = device) => {
    const first = await say(server.db, client, on, from, 'they saw the red');
    const second = await announce(client, on, { startTime: from + 60 + gapSeconds, clipLengthInSeconds: 60 });
    await caption(server.db, second, 'balloon over the bay');
    return { first, second };
  };

  test('are one hit that names the next clip', async () => {
    const { first, second } = await follow(2);
    for (const searchText of ['"red balloon"', 'red balloon', '"the red balloon over"', '"ed ball"']) {
      const { total, results } = await search(searchText);
      expect(total, searchText).toBe(1);
      expect(results[0]).toMatchObject({ key: first.key, nextAudioClipID: second.key });
      expect(results[0]!.snippet).toBe('they saw the red balloon over the bay');
      expect(results[0]!.matches.at(-1)).toMatchObject({ word: 'red', startMs: 1200 });
      expect(results[0]!.isSimilar).toBeUndefined();
    }
    expect((await search('"balloon red"')).total).toBe(0);
    expect((await search('"saw balloon"')).total).toBe(0);
  });

  test('are not found with a longer pause, another clip between, or on another device', async () => {
    await follow(3);
    expect((await search('"red balloon"')).total).toBe(0);
    const other = await addDevice(client);
    await say(server.db, client, other, 1061, 'balloon');
    expect((await search('"red balloon"')).total).toBe(0);
    await follow(1, 5000);
    expect(await startsOf(search('"red balloon"'))).toEqual([5000]);
    await say(server.db, client, device, 5030, 'in between');
    expect((await search('"red balloon"')).total).toBe(0);
  });

  test('follow after the clips that contain the words, within the range and devices of the search', async () => {
    await follow(0, 9000);
    await say(server.db, client, device, 100, 'a red balloon');
    expect(await startsOf(search('"red balloon"'))).toEqual([100, 9000]);
    expect(await startsOf(search('"red balloon"', { offset: 1 }))).toEqual([9000]);
    expect(await startsOf(search('"red balloon"', {}, { endEpoch: 5000 }))).toEqual([100]);
    expect(await startsOf(search('"red balloon"', {}, { startEpoch: 5000 }))).toEqual([9000]);
    const other = await addDevice(client);
    expect(await startsOf(search('"red balloon"', {}, { deviceIDList: [other.deviceID] }))).toEqual([]);
    const stranger = (await (await server.addPerson()).withKey()).client;
    expect((await stranger.searchCaptions({ body: { searchText: '"red balloon"' } })).total).toBe(0);
  });
});

test('by relevance whole words come before parts of words, however often those occur', async () => {
  await say(server.db, client, device, 1, `${'so much else '.repeat(30)} a gate`);
  await say(server.db, client, device, 2, 'gatekeeper gatepost gateway gated gates');
  expect(await startsOf(search('gate', { order: 'relevance' }))).toEqual([1, 2]);
  await say(server.db, client, device, 3, 'two fire trucks');
  await say(server.db, client, device, 4, 'a fire truck');
  await say(server.db, client, device, 5, 'the firetrucks');
  expect(await startsOf(search('trucks', { order: 'relevance' }))).toEqual([3, 4, 5]);
});

test('the list of clips with tags finds the same words in other forms', async () => {
  await say(server.db, client, device, 1, 'engine ninety-six and an e-mail');
  const found = async (searchText: string) =>
    (await client.listAudioClipsWithTags({ body: { deviceIDList: [device.deviceID], searchText } })).audioClipList
      .length;
  expect(await found('engine 96')).toBe(1);
  expect(await found('emails')).toBe(1);
  expect(await found('"96"')).toBe(0);
  expect(await found('engene')).toBe(0);
});

test('a long search of numbers, plurals and words that can be split is answered', async () => {
  const searchText = 'ninety-six firetrucks 911 knives e-mails nineteen hundred and five '.repeat(15).slice(0, 1_000);
  await say(server.db, client, device, 1, searchText);
  await say(server.db, client, device, 100, 'nothing of it');
  expect(await startsOf(search(searchText, { order: 'relevance' }))).toEqual([1]);
});
