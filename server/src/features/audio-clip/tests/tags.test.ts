import type { Client } from '@earshot/client/client';
import type { CreateAudioClipTag, Tag } from '@earshot/contract/tag';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice, refusedWith } from '../../event/tests/fleet.ts';
import type { KeyedClip } from './recordings.ts';
import { announce } from './recordings.ts';

let server: SharedServer;
let client: Client;
let device: Device;
let clip: KeyedClip;
beforeAll(async () => {
  server = await sharedTestServer();
});
beforeEach(async () => {
  client = (await (await server.addPerson()).withKey()).client;
  device = await addDevice(client);
  clip = await announce(client, device, { startTime: 100, startTimeMs: 500, clipLengthInSeconds: 60 });
});

const tag = (body: CreateAudioClipTag, { key } = clip) =>
  client.createAudioClipTag({ params: { audioClipID: key }, body });
const tags = ({ key } = clip) => client.listAudioClipTags({ params: { audioClipID: key } });

test('a tag by hand has offset 0 and confidence 100 by default', async () => {
  const whole = await tag({ tagName: 'dog' });
  expect(whole).toEqual({
    key: expect.any(Number),
    audioClipID: clip.key,
    deviceID: device.deviceID,
    tagID: expect.any(Number),
    timestamp: 100,
    timestampMs: 500,
    confidence: 100,
    creationDate: expect.any(String),
    tagName: 'dog',
  });
  const moment = await tag({ tagName: 'rain', timestamp: 120, timestampMs: 7, confidence: 87.5 });
  expect(moment).toMatchObject({ timestamp: 120, timestampMs: 7, confidence: 87.5 });
  const between = await tag({ tagName: 'owl', timestamp: 110 });
  expect(await tags()).toEqual([whole, between, moment]);
});

const tagsOf = (clips: readonly { tagList: Tag[] }[]) => clips.flatMap(({ tagList }) => tagList);

test('who created a tag, and when, is told to this person and to admins', async () => {
  const tagName = `thrush ${device.deviceID}`;
  const other = (await (await server.addPerson()).withKey()).client;
  const theirDevice = await addDevice(other);
  const theirs = await announce(other, theirDevice, { startTime: 100, clipLengthInSeconds: 60 });
  await tag({ tagName });
  await other.createAudioClipTag({ params: { audioClipID: theirs.key }, body: { tagName } });
  for (const [by, { key }] of [
    [client, clip],
    [other, theirs],
  ] as const) {
    await by.correctCaption({ params: { captionID: key }, body: { transcript: tagName } });
  }
  const listed = async (by: Client, { deviceID } = device) => {
    const deviceIDList = [deviceID];
    const lists = [
      await by.listTags(),
      (await by.listAudioClipsWithTags({ body: { deviceIDList } })).tagList ?? [],
      tagsOf(await by.listAudioClips({ body: { deviceID } })),
      tagsOf((await by.listAudioClipPage({ body: { deviceIDList } })).results),
      tagsOf((await by.searchCaptions({ body: { searchText: tagName, deviceIDList } })).results),
    ];
    return lists.map((shown) => shown.find((each) => each.tagName === tagName));
  };
  const full = { key: expect.any(Number), tagName, creationDate: expect.any(String), createdBy: expect.any(Number) };
  for (const shown of await listed(client)) expect(shown).toEqual(full);
  for (const shown of await listed(other, theirDevice)) expect(shown).toEqual({ key: expect.any(Number), tagName });
  for (const shown of await listed(server.admin.session)) expect(shown).toEqual(full);
});

test('the same tag at the same moment returns the existing one', async () => {
  const first = await tag({ tagName: 'dog', confidence: 20 });
  expect(await tag({ tagName: 'DOG', confidence: 90 })).toEqual(first);
  expect(await tag({ tagID: first.tagID ?? 0 })).toEqual(first);
  expect((await tag({ tagName: 'dog', timestamp: 101 })).key).not.toBe(first.key);
  expect(await tags()).toHaveLength(2);
});

test('the moment must be within the clip', async () => {
  for (const timestamp of [99, 161, 160.5, -1]) {
    await expect(tag({ tagName: 'dog', timestamp })).rejects.toEqual(refusedWith(400));
  }
  await expect(tag({ tagName: 'dog', timestamp: 100, timestampMs: 499 })).rejects.toEqual(refusedWith(400));
  await expect(tag({ tagName: 'dog', timestamp: 160, timestampMs: 500 })).rejects.toEqual(refusedWith(400));
  expect(await tag({ tagName: 'dog', timestamp: 160, timestampMs: 499 })).toMatchObject({ timestamp: 160 });
  // The second in which the clip begins: the part of it that is in the clip.
  expect(await tag({ tagName: 'dog', timestamp: 100 })).toMatchObject({ timestamp: 100, timestampMs: 500 });
});

test('a clip with length 0 can be tagged at its start, and one without an end at any later time', async () => {
  const empty = await announce(client, device, { startTime: 300, clipLengthInSeconds: 0 });
  const open = await announce(client, device, { startTime: 400 });
  expect(await tag({ tagName: 'dog', timestamp: 300 }, empty)).toMatchObject({ timestamp: 300 });
  await expect(tag({ tagName: 'dog', timestamp: 301 }, empty)).rejects.toEqual(refusedWith(400));
  expect(await tag({ tagName: 'dog', timestamp: 500 }, open)).toMatchObject({ timestamp: 500 });
  await expect(tag({ tagName: 'dog', timestamp: 400 + 86_400 }, open)).rejects.toEqual(refusedWith(400));
});

test('a tag is named by its name or key', async () => {
  for (const body of [{}, { tagName: '' }, { tagName: ' ' }, { tagID: 987_654_321 }, { tagName: 'x'.repeat(101) }]) {
    await expect(tag(body)).rejects.toEqual(refusedWith(400));
  }
  await expect(tag({ tagName: 'dog', confidence: 101 })).rejects.toEqual(refusedWith(400));
  for (const tagName of [' dog', 'dog ', '\tdog', 'dog\n', '\u00a0dog', 'dog\u3000', ' ']) {
    await expect(tag({ tagName })).rejects.toMatchObject({
      status: 400,
      problem: { errors: [{ path: 'tagName', message: expect.stringContaining('white space') as string }] },
    });
  }
  expect(await tags()).toEqual([]);
  const exact = `a  dog\u00a0and an OWL ${device.deviceID}`;
  expect(await tag({ tagName: exact })).toMatchObject({ tagName: exact });
});

test('a tag is created once by concurrent requests', async () => {
  const tagName = `bell ${device.deviceID}`;
  const clips = await Promise.all([1, 2, 3, 4, 5, 6].map((startTime) => announce(client, device, { startTime })));
  const made = await Promise.all(clips.map((each) => tag({ tagName }, each)));
  expect(new Set(made.map(({ tagID }) => tagID)).size).toBe(1);
});

test('tags of readable devices are listed by name, while a clip has them', async () => {
  const name = (word: string) => `${word} ${device.deviceID}`;
  const other = await addDevice(client);
  await tag({ tagName: name('rain') });
  await tag({ tagName: name('Dog') });
  await tag({ tagName: name('dog') }, await announce(client, other, { startTime: 1 }));
  const owl = await tag({ tagName: name('owl') }, await announce(client, other, { startTime: 2 }));
  const listed = async (by = client) => (await by.listTags()).map(({ tagName }) => tagName);
  expect(await listed()).toEqual([name('Dog'), name('owl'), name('rain')]);
  const stranger = await server.addPerson();
  expect(await listed((await stranger.withKey()).client)).toEqual([]);
  // The key of a tag does not reveal its name either.
  const foreign = await addDevice(stranger.session);
  const theirs = await announce(stranger.session, foreign, { startTime: 1 });
  await expect(
    stranger.session.createAudioClipTag({ params: { audioClipID: theirs.key }, body: { tagID: owl.tagID ?? 0 } }),
  ).rejects.toEqual(refusedWith(400));
  await client.deleteAudioClipTag({ params: { audioClipID: owl.audioClipID ?? 0, audioClipTagID: owl.key ?? 0 } });
  expect(await listed()).toEqual([name('Dog'), name('rain')]);
  expect(await listed(server.admin.session)).toEqual(expect.arrayContaining([name('Dog'), name('rain')]));
});

test('a tag is removed from its clip once', async () => {
  const [kept, gone] = [await tag({ tagName: 'dog' }), await tag({ tagName: 'rain' })];
  const other = await announce(client, device, { startTime: 500 });
  const remove = (audioClipID: number) =>
    client.deleteAudioClipTag({ params: { audioClipID, audioClipTagID: gone.key ?? 0 } });
  await expect(remove(other.key)).rejects.toEqual(refusedWith(404));
  await remove(clip.key);
  expect(await tags()).toEqual([kept]);
  await expect(remove(clip.key)).rejects.toEqual(refusedWith(404));
});
