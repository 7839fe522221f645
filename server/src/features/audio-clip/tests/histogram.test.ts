import type { Client } from '@earshot/client/client';
import type { AudioClipHistogram, AudioClipHistogramFilter } from '@earshot/contract/audio-clip-page';
import { bucketsOf } from '@earshot/server/features/audio-clip/list/histogram';
import type { Caller } from '@earshot/server/platform/http/caller';
import { connect } from '@earshot/server/platform/database/connect';
import { countStarts } from '@earshot/server/features/audio-clip/list/histogram-queries';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice } from '../../event/tests/fleet.ts';
import { tinyWav } from '../../file/tests/sound.ts';
import { announceAll } from './recordings.ts';

const start = 1_794_704_400;

let server: TestServer;
let client: Client;
let first: Device;
let second: Device;
beforeAll(async () => {
  server = await startTestServer();
  client = server.admin.session;
  first = await addDevice(client);
  second = await addDevice(client);
  // Ten clips of one second, one a minute later, and one of another device at the end of the hour.
  const clips = Array.from({ length: 10 }, (_, index) => ({ startTime: start, startTimeMs: index * 100 }));
  await announceAll(client, first, [...clips, { startTime: start + 60 }]);
  await announceAll(client, second, [{ startTime: start + 3_599, clipLengthInSeconds: 900 }]);
});
afterAll(() => server.stop());

const count = (body: AudioClipHistogramFilter): Promise<AudioClipHistogram> => client.countAudioClips({ body });
const filled = ({ bucketList }: AudioClipHistogram) =>
  bucketList.filter((bucket) => bucket.count > 0).map((bucket) => [bucket.startEpoch - start, bucket.count]);

test('clips are counted where they begin, in buckets over the whole range', async () => {
  const hour = await count({ startEpoch: start, endEpoch: start + 3_600, bucketCount: 60 });
  expect(hour).toMatchObject({ startEpoch: start, endEpoch: start + 3_600, bucketSeconds: 60 });
  expect(hour.bucketList).toHaveLength(60);
  expect(filled(hour)).toEqual([
    [0, 10],
    [60, 1],
    [3_540, 1],
  ]);
  // The last clip reaches into the next hour, but begins before it.
  expect(filled(await count({ startEpoch: start + 3_600, endEpoch: start + 7_200 }))).toEqual([]);
});

test('without a range it begins with the first clip and ends with the last', async () => {
  const all = await count({ bucketCount: 200 });
  expect(all).toMatchObject({ startEpoch: start, endEpoch: start + 3_600, bucketSeconds: 18 });
  expect(await count({ deviceIDList: [second.deviceID] })).toMatchObject({
    startEpoch: start + 3_599,
    endEpoch: start + 3_600,
    bucketList: [{ startEpoch: start + 3_599, count: 1 }],
  });
  expect(await count({ tagIDList: [987_654] })).toEqual({ bucketSeconds: 0, bucketList: [] });
  expect(await count({ startEpoch: start, endEpoch: start })).toMatchObject({ bucketList: [] });
});

test('the filters are those of the page, and only readable clips are counted', async () => {
  const range = { startEpoch: start, endEpoch: start + 3_600, bucketCount: 1 };
  const page = await client.listAudioClipPage({ body: { deviceIDList: [first.deviceID] } });
  const clips = page.results.map(({ key = 0 }) => key);
  const wav = tinyWav(2, 440);
  const audioClipID = clips[0] ?? 0;
  await client.putAudioClipContent({ params: { audioClipID }, body: wav });
  // A tag twice on one clip counts once.
  for (const timestamp of [start + 60, start + 61]) {
    await client.createAudioClipTag({ params: { audioClipID }, body: { tagName: 'owl', timestamp } });
  }
  const [tag] = await client.listTags();
  const tagIDList = [tag?.key ?? 0];
  expect(filled(await count({ ...range, audioClipStatus: 3 }))).toEqual([[0, 1]]);
  expect(filled(await count({ ...range, audioClipStatus: 0 }))).toEqual([[0, 11]]);
  expect(filled(await count({ ...range, tagIDList }))).toEqual([[0, 1]]);
  expect(filled(await count({ ...range, talkgroup: 1 }))).toEqual([]);
  const stranger = (await (await server.addPerson()).withKey()).client;
  expect(await stranger.countAudioClips({ body: {} })).toEqual({ bucketSeconds: 0, bucketList: [] });
  await expect(count({ startEpoch: 5, endEpoch: 4 })).rejects.toMatchObject({ status: 400 });
});

test('more clips than the share of a device are estimated, and marked', async () => {
  const db = connect(server.databaseUrl, { connections: 1, name: 'histogram' });
  const admin: Caller = { userID: server.admin.userID, role: 'admin', credential: 'test' };
  const filter = { devices: first.deviceID, fromMs: undefined, toMs: undefined, ascending: true, count: 1 };
  const minute = { startMs: start * 1000, endMs: start * 1000 + 1000, bucketMs: 1000, buckets: 1, status: undefined };
  try {
    // Ten clips in a second, 100 ms apart: four of them take 300 ms.
    const [estimated] = await countStarts(db, admin, filter, { ...minute, share: 3 });
    expect(estimated).toMatchObject({ isEstimated: true });
    expect(Number(estimated?.count)).toBeGreaterThanOrEqual(10);
    expect(Number(estimated?.count)).toBeLessThan(15);
    const exact = await countStarts(db, admin, filter, { ...minute, share: 10 });
    expect(exact).toEqual([{ number: 0, count: 10, isEstimated: false }]);
  } finally {
    await db.end({ timeout: 1 });
  }
});

test('many devices get fewer buckets, and a short range at most one for each second', () => {
  const day = { startEpoch: 0, endEpoch: 86_400 };
  expect(bucketsOf(day, 100, 1)).toEqual({ bucketSeconds: 864, buckets: 100 });
  expect(bucketsOf(day, 200, 1_000)).toEqual({ bucketSeconds: 3_600, buckets: 24 });
  expect(bucketsOf({ startEpoch: 5, endEpoch: 8 }, 100, 1)).toEqual({ bucketSeconds: 1, buckets: 3 });
});

test('a page gives the length of the sound itself, and where somebody speaks', async () => {
  const { results } = await client.listAudioClipPage({ body: { deviceIDList: [second.deviceID] } });
  const audioClipID = results[0]?.key ?? 0;
  await client.putAudioClipContent({ params: { audioClipID }, body: tinyWav(5, 440) });
  const words = [
    { text: 'Good', startMs: 500, endMs: 800 },
    { text: 'morning.', startMs: 900, endMs: 1_400 },
  ];
  await client.correctCaption({ params: { captionID: audioClipID }, body: { words } });
  const body = { deviceIDList: [second.deviceID], withSpeech: true };
  const [clip] = (await client.listAudioClipPage({ body })).results;
  // Announced as 900 s, and 5 s long.
  expect(clip).toMatchObject({ clipLengthInSeconds: 900, soundMs: 5_000, speech: [{ startMs: 500, endMs: 1_400 }] });
  const [plain] = (await client.listAudioClipPage({ body: { deviceIDList: [second.deviceID] } })).results;
  expect(plain).not.toHaveProperty('speech');
});
