import type { Client } from '@earshot/client/client';
import type { CaptionHit } from '@earshot/contract/caption-search';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { announce, readClip } from '../../audio-clip/tests/recordings.ts';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice } from '../../event/tests/fleet.ts';
import { caption, say } from './speech.ts';

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
const only = async (searchText: string): Promise<CaptionHit> => {
  const { results } = await search(searchText);
  expect(results).toHaveLength(1);
  return results[0]!;
};

test('a hit has the clip, its names, its transcript and the matches', async () => {
  const clip = await say(server.db, client, device, 100, 'Who is at the North Gate?');
  const tag = await client.createAudioClipTag({ params: { audioClipID: clip.key }, body: { tagName: 'dog' } });
  const { deviceName } = await client.getDevice({ params: { deviceID: device.deviceID } });
  const { total, offset, limit, results } = await search('gate');
  expect({ total, offset, limit }).toEqual({ total: 1, offset: 0, limit: 20 });
  const { tagList, ...hit } = results[0]!;
  expect(hit).toEqual({
    ...(await readClip(client, clip)),
    deviceName,
    captionID: clip.key,
    transcript: 'Who is at the North Gate?',
    snippet: 'Who is at the North Gate?',
    matches: [{ startMs: 2000, endMs: 2350, word: 'Gate?' }],
  });
  expect(tagList.map(({ key, tagName }) => ({ key, tagName }))).toEqual([{ key: tag.tagID, tagName: 'dog' }]);
});

test('a number in its order ranks before the same digits elsewhere', async () => {
  await say(server.db, client, device, 300, 'Nine of one team, and one more.');
  await say(server.db, client, device, 200, 'Somebody called 911.');
  await say(server.db, client, device, 100, 'Call nine one one.');
  expect(await startsOf(search('nine one one', { order: 'relevance' }))).toEqual([100, 200, 300]);
});

test('the words of a code that is spelled are marked', async () => {
  await say(server.db, client, device, 100, 'Plate Adam Boy Charles one two three, a red car.');
  const { matches } = await only('ABC123');
  expect(matches.map(({ word }) => word)).toEqual(['Adam', 'Boy', 'Charles', 'one', 'two', 'three,']);
});

describe('the matching words', () => {
  const wordsOf = async (searchText: string) =>
    (await only(searchText)).matches.map(({ word, startMs }) => [word, startMs]);

  test('are listed once, in time order, with their times', async () => {
    await say(server.db, client, device, 1, 'The gate, the north gate: don’t GATE-crash the café!');
    expect(await wordsOf('gate')).toEqual([
      ['gate,', 400],
      ['gate:', 1600],
      ['GATE-crash', 2400],
    ]);
    expect(await wordsOf('"the north"')).toEqual([
      ['the', 800],
      ['north', 1200],
    ]);
    expect(await wordsOf('cafe dont')).toEqual([
      ['don’t', 2000],
      ['café!', 3200],
    ]);
    expect(await wordsOf('orth')).toEqual([['north', 1200]]);
    expect(await wordsOf('"orth ga"')).toEqual([
      ['north', 1200],
      ['gate:', 1600],
    ]);
  });

  test('in scripts without spaces are the words that the engine timed', async () => {
    await say(server.db, client, device, 1, '東京 タワー 京都');
    expect(await wordsOf('京')).toEqual([
      ['東京', 0],
      ['京都', 800],
    ]);
    expect(await wordsOf('京タ')).toEqual([
      ['東京', 0],
      ['タワー', 400],
    ]);
  });

  test('are empty without word times', async () => {
    const clip = await announce(client, device, { startTime: 5 });
    await caption(server.db, clip, 'nobody timed this', []);
    expect(await only('timed')).toMatchObject({ matches: [], snippet: 'nobody timed this' });
  });
});

describe('the snippet', () => {
  const before = Array.from({ length: 60 }, (_, at) => `early${at}`).join(' ');
  const after = Array.from({ length: 60 }, (_, at) => `later${at}`).join(' ');

  test('is cut at words around the first match', async () => {
    await say(server.db, client, device, 1, `${before} the needle,\n and <b>again</b> a needle ${after}`);
    const { snippet } = await only('needle');
    expect(snippet).toMatch(
      /^…early5\d (early\d+ )+the needle, and <b>again<\/b> a needle later0 (later\d+ )+later\d+…$/,
    );
    expect(snippet.length).toBeGreaterThan(120);
    expect(snippet.length).toBeLessThanOrEqual(162);
  });

  test('shows the beginning and the end unchanged', async () => {
    await say(server.db, client, device, 1, `“First” word ${after}`);
    await say(server.db, client, device, 2, `${before} last word!`);
    expect((await only('first')).snippet).toMatch(/^“First” word later0 .*later\d+…$/);
    expect((await only('last')).snippet).toMatch(/^…early\d+ .* last word!$/);
  });
});

test('pages in the requested order', async () => {
  for (let startTime = 0; startTime < 7; startTime++) await say(server.db, client, device, startTime, 'a gate');
  expect(await startsOf(search('gate', { limit: 3 }))).toEqual([6, 5, 4]);
  expect(await startsOf(search('gate', { limit: 3, offset: 5 }))).toEqual([1, 0]);
  expect(await startsOf(search('gate', { limit: 2, offset: 1, order: 'ASC' }))).toEqual([1, 2]);
  expect(await search('gate', { offset: 7 })).toEqual({ total: 7, offset: 7, limit: 20, results: [] });
});

test('by relevance: whole words, more of them, adjacent ones, short transcripts; then the newest', async () => {
  const spoken = [
    'a gate and a gate and a gate',
    'a gate and nothing else',
    'a gate and nothing else',
    `a gate ${'and nothing else '.repeat(20)}`,
    'the gatekeeper came along',
  ];
  for (const [startTime, transcript] of spoken.entries()) await say(server.db, client, device, startTime, transcript);
  expect(await startsOf(search('gate', { order: 'relevance' }))).toEqual([0, 2, 1, 3, 4]);
  await say(server.db, client, device, 10, 'gate nothing of a');
  await say(server.db, client, device, 11, 'nothing of a gate');
  expect((await startsOf(search('nothing gate', { order: 'relevance' })))[0]).toBe(11);
  await say(server.db, client, device, 12, 'a nothing gate of');
  expect((await startsOf(search('nothing gate', { order: 'relevance' })))[0]).toBe(12);
});

test('a corrected transcript is found at once, and its former text is not', async () => {
  const clip = await say(server.db, client, device, 1, 'the north gait');
  expect((await search('gait')).total).toBe(1);
  await caption(server.db, clip, 'at the north gate');
  expect((await search('"gait"')).total).toBe(0);
  expect((await only('gait')).isSimilar).toBe(true);
  expect((await only('gate')).matches).toEqual([{ startMs: 1200, endMs: 1550, word: 'gate' }]);
});

test('a removed clip is not found, and a moved one is found at its new time', async () => {
  const moved = await say(server.db, client, device, 1000, 'first gate');
  const removed = await say(server.db, client, device, 2000, 'second gate');
  await say(server.db, client, device, 3000, 'third gate');
  await client.updateAudioClip({ params: { audioClipID: moved.key }, body: { startTime: 4000 } });
  expect(await startsOf(search('gate'))).toEqual([4000, 3000, 2000]);
  expect(await startsOf(search('gate', {}, { startEpoch: 3500 }))).toEqual([4000]);
  expect(await startsOf(search('gate', {}, { startEpoch: 500, endEpoch: 1500 }))).toEqual([]);
  await client.deleteAudioClip({ params: { audioClipID: removed.key } });
  expect(await startsOf(search('gate'))).toEqual([4000, 3000]);
});

test('clips that overlap the range are included', async () => {
  await say(server.db, client, device, 1000, 'a gate');
  const starts = (startEpoch: number, endEpoch: number) => startsOf(search('gate', {}, { startEpoch, endEpoch }));
  expect(await starts(1059, 1060)).toEqual([1000]);
  expect(await starts(1060, 1070)).toEqual([]);
  expect(await starts(990, 1000)).toEqual([]);
  expect(await starts(990, 1001)).toEqual([1000]);
  expect(await starts(1000, 1000)).toEqual([]);
});

test('only devices that the caller may read are searched, whatever is requested', async () => {
  const stranger = (await (await server.addPerson()).withKey()).client;
  const theirs = await addDevice(stranger);
  await say(server.db, client, device, 1, 'a gate');
  await say(server.db, stranger, theirs, 2, 'a gate');
  expect(await startsOf(search('gate'))).toEqual([1]);
  expect(await startsOf(search('gate', {}, { deviceIDList: [theirs.deviceID, device.deviceID, 987_654_321] }))).toEqual(
    [1],
  );
  expect(await startsOf(search('gate', {}, { deviceIDList: [theirs.deviceID] }))).toEqual([]);
  expect(await startsOf(search('gate', {}, { deviceIDList: [] }))).toEqual([1]);
  const { total } = await server.admin.session.searchCaptions({
    body: { searchText: 'gate', deviceIDList: [device.deviceID, theirs.deviceID] },
  });
  expect(total).toBe(2);
});
