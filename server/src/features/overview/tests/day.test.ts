import type { Client } from '@earshot/client/client';
import { recordOfflineDevices } from '@earshot/server/features/device/public';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import type { SharedServer } from '@earshot/server/testing/server';
import { beforeAll, expect, test } from 'vitest';
import { addDevice } from '../../event/tests/fleet.ts';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedTestServer();
});

const hour = 3_600;
const now = () => Math.floor(Date.now() / 1_000);

async function setUp() {
  const owner = await server.addPerson();
  const person = (await owner.withKey()).client;
  return { owner, person, ...(await addDevice(person)) };
}

/** A clip with a transcript. */
async function addSpoken(client: Client, deviceSerial: string, startTime: number, transcript: string): Promise<number> {
  const [clip] = await client.announceAudioClips({
    params: { deviceSerial },
    body: [{ startTime, clipLengthInSeconds: 20 }],
  });
  const captionID = clip?.key ?? 0;
  if (transcript) await client.correctCaption({ params: { captionID }, body: { transcript } });
  return captionID;
}

test('clips and their length are counted by the hour, of the last day only', async () => {
  const { person, deviceSerial } = await setUp();
  const clips = [0.5, 1.5, 2.5, 23.5, 25, -1].map((hours) => ({
    startTime: now() - Math.round(hours * hour),
    clipLengthInSeconds: 90,
  }));
  await person.announceAudioClips({ params: { deviceSerial }, body: clips });
  const day = await person.getDayOverview();
  expect(day).toMatchObject({ deviceCount: 1, clipCount: 4, soundSeconds: 360, isComplete: true });
  expect(day.hours.map(({ clipCount }) => clipCount)).toEqual([1, ...Array<number>(20).fill(0), 1, 1, 1]);
  const stranger = await server.addPerson();
  expect(await stranger.session.getDayOverview()).toMatchObject({ deviceCount: 0, clipCount: 0, words: [], tags: [] });
});

test('words and tags above their usual level are found, and usual ones are not', async () => {
  const { person, deviceSerial } = await setUp();
  for (let index = 0; index < 24; index += 1) {
    await addSpoken(person, deviceSerial, now() - (26 + index * 5) * hour, 'The morning patrol, all quiet.');
  }
  // Without a day to compare with, nothing is above its usual level.
  for (let index = 0; index < 6; index += 1) {
    const text = index < 4 ? 'The ferry is on fire! Ferry, ferry.' : 'The morning patrol, all quiet.';
    const audioClipID = await addSpoken(person, deviceSerial, now() - (index + 1) * hour, text);
    if (index < 4) await person.createAudioClipTag({ params: { audioClipID }, body: { tagName: 'siren' } });
  }
  const day = await person.getDayOverview();
  expect(day).toMatchObject({
    sampledClipCount: 6,
    sampledTranscriptCount: 6,
    earlierClipCount: 24,
    earlierTranscriptCount: 24,
  });
  expect(day.words).toEqual([
    { word: 'ferry', clipCount: 4, usualClipCount: 0 },
    { word: 'fire', clipCount: 4, usualClipCount: 0 },
  ]);
  expect(day.tags).toMatchObject([{ tagName: 'siren', clipCount: 4, usualClipCount: 0 }]);
});

test('without earlier clips no word is above its usual level', async () => {
  const { person, deviceSerial } = await setUp();
  for (let index = 0; index < 4; index += 1) await addSpoken(person, deviceSerial, now() - index * 60 - 60, 'A ferry.');
  expect(await person.getDayOverview()).toMatchObject({ words: [], tags: [], earlierTranscriptCount: 0 });
});

test('of many clips a sample is compared, and of very many the newest are counted', async () => {
  const { owner, person, deviceID } = await setUp();
  await server.db`
    insert into audio_clips (device_id, start_ms, end_ms)
    select ${deviceID}, s.ms, s.ms + 1000
    from (select extract(epoch from now())::bigint * 1000 - n * 2000 - 1000 as ms from generate_series(1, 400) n) s`;
  expect(await person.getDayOverview()).toMatchObject({ isComplete: true, clipCount: 400, sampledClipCount: 100 });
  // With so many devices, a hundred clips of each are counted.
  await server.db`
    insert into devices (user_id, device_name, device_serial)
    select ${owner.userID}, 'one of many', concat('many-', ${deviceID}::bigint, '-', n) from generate_series(1, 1999) n`;
  expect(await person.getDayOverview()).toMatchObject({ isComplete: false, clipCount: 100, deviceCount: 2_000 });
});

test('the online share of each hour comes from the times when devices were online', async () => {
  const { person, deviceSerial, deviceID } = await setUp();
  // It never had contact, so it does not count.
  await addDevice(person);
  const online = async () => (await person.getDayOverview()).hours.map(({ onlinePercent }) => onlinePercent);
  expect(await online()).toEqual(Array(24).fill(undefined));
  await person.registerAgent({ body: { deviceSerial, agentType: 'Audio', processID: 1 } });
  await server.db`update installation set online_times_since = now() - interval '3 hours'`;
  await server.db`update online_devices set since = now() - interval '30 minutes' where device_id = ${deviceID}`;
  await server.db`
    insert into online_times (device_id, since, until)
    values (${deviceID}, now() - interval '3 hours', now() - interval '2 hours')`;
  const shares = await online();
  expect(shares.slice(0, 20)).toEqual(Array(20).fill(undefined));
  expect(shares.slice(21).map((share) => Math.round(share ?? -1))).toEqual([100, 0, 50]);

  // It goes offline: the time until then is kept.
  await server.db`update agents set last_heard_from_date = now() - interval '12 minutes' where device_id = ${deviceID}`;
  await server.db`update online_devices set until = now() - interval '1 second' where device_id = ${deviceID}`;
  await recordOfflineDevices(server.db, 500);
  expect(Math.round((await online()).at(-1) ?? -1)).toBe(33);
  const kept = await server.db`select 1 from online_times where device_id = ${deviceID}`;
  expect(kept).toHaveLength(2);
});
