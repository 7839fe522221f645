import { randomUUID } from 'node:crypto';
import type { Client } from '@earshot/client/client';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice } from '../../event/tests/fleet.ts';
import { caption } from '../../caption-search/tests/speech.ts';
import type { KeyedClip } from './recordings.ts';
import { announce, readClip } from './recordings.ts';

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

const say = (clip: KeyedClip, transcript: string) => caption(server.db, clip, transcript);
const tag = ({ key }: KeyedClip, tagName: string, timestamp?: number) =>
  client.createAudioClipTag({
    params: { audioClipID: key },
    body: { tagName, ...(timestamp === undefined ? {} : { timestamp, timestampMs: 0 }) },
  });
const list = (body: object = {}, minutes?: number) =>
  client.listAudioClipsWithTags({ body, ...(minutes === undefined ? {} : { query: { minutes } }) });
const startsOf = async (asked: ReturnType<typeof list>) =>
  (await asked).audioClipList.map(({ startTime }) => startTime);

test('clips are listed with their transcripts, tags in time order, and distinct tags', async () => {
  const later = await announce(client, device, { startTime: 200, clipLengthInSeconds: 60 });
  const earlier = await announce(client, device, { startTime: 100, clipLengthInSeconds: 60 });
  await say(earlier, 'who is at the north gate');
  const tags = [await tag(later, 'dog', 230), await tag(later, 'rain', 210), await tag(earlier, 'rain')];
  const answer = await list();
  expect(answer.audioClipList).toEqual([
    await readClip(client, later),
    { ...(await readClip(client, earlier)), captionID: earlier.key, transcript: 'who is at the north gate' },
  ]);
  expect(answer.audioClipTagList).toEqual([tags[1], tags[0], tags[2]]);
  expect(answer.tagList).toEqual((await client.listTags()).toSorted((a, b) => (a.key ?? 0) - (b.key ?? 0)));
  expect(await list({ endEpoch: 50 })).toEqual({ audioClipList: [], audioClipTagList: [], tagList: [] });
});

test('with tags, returns the clips that have one of them, each with all of its tags', async () => {
  const both = await announce(client, device, { startTime: 1 });
  const other = await announce(client, device, { startTime: 2 });
  await announce(client, device, { startTime: 3 });
  // Used by this test only, so that the first tag is the older one.
  const [dog, rain] = [`dog ${randomUUID()}`, `rain ${randomUUID()}`];
  const { tagID = 0 } = await tag(both, dog);
  await tag(both, rain);
  await tag(other, rain);
  const answer = await list({ tagIDList: [tagID, 987_654_321] });
  expect(answer.audioClipList.map(({ key }) => key)).toEqual([both.key]);
  expect(answer.tagList.map(({ tagName }) => tagName)).toEqual([dog, rain]);
  expect(await startsOf(list({ tagIDList: [] }))).toEqual([3, 2, 1]);
});

test('with words, returns the clips that a search for them finds', async () => {
  for (const [startTime, transcript] of ['The North Gate', 'a gate', '100% north_west gate', 'northern'].entries()) {
    await say(await announce(client, device, { startTime }), transcript);
  }
  await announce(client, device, { startTime: 9 });
  for (const [searchText, starts] of [
    ['', [9, 3, 2, 1, 0]],
    ['  ', [9, 3, 2, 1, 0]],
    ['north', [3, 2, 0]],
    ['GATE north', [2, 0]],
    ['100%', [2]],
    ['"north west"', [2]],
    ['Nörth', [3, 2, 0]],
    ['north south', []],
  ] as const) {
    expect(await startsOf(list({ searchText })), searchText).toEqual(starts);
  }
  await expect(list({ searchText: '%' })).rejects.toMatchObject({ status: 400 });
});

describe('the last minutes', () => {
  test('before the end of the range: only clips and tags of that time', async () => {
    const [before, across, inside] = [
      await announce(client, device, { startTime: 900, clipLengthInSeconds: 40 }),
      await announce(client, device, { startTime: 930, clipLengthInSeconds: 60 }),
      await announce(client, device, { startTime: 990, clipLengthInSeconds: 60 }),
    ];
    await tag(before, 'owl');
    await tag(across, 'dog', 935);
    const within = await tag(across, 'dog', 940);
    const second = await tag(inside, 'rain', 999);
    await tag(inside, 'rain', 1000);
    const answer = await list({ endEpoch: 1000 }, 1);
    expect(answer.audioClipList.map(({ key }) => key)).toEqual([inside.key, across.key]);
    expect(answer.audioClipTagList).toEqual([second, within]);
    expect(answer.tagList.map(({ tagName }) => tagName)).toEqual(['dog', 'rain']);
    expect(await startsOf(list({ endEpoch: 1000, startEpoch: 990 }, 1))).toEqual([990]);
    expect(await startsOf(list({ endEpoch: 1000, startEpoch: 10 }, 1))).toEqual([990, 930]);
  });

  test('before now, when the range has no end', async () => {
    const now = Math.floor(Date.now() / 1000);
    await announce(client, device, { startTime: now - 7200, clipLengthInSeconds: 60 });
    await announce(client, device, { startTime: now - 600, clipLengthInSeconds: 60 });
    await announce(client, device, { startTime: now + 7200, clipLengthInSeconds: 60 });
    expect(await startsOf(list({}, 60))).toEqual([now - 600]);
    expect(await startsOf(list({}))).toHaveLength(3);
  });
});
