import type { Client } from '@earshot/client/client';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice } from '../../event/tests/fleet.ts';
import type { Stream } from '../../live/tests/stream.ts';
import { openStream } from '../../live/tests/stream.ts';
import { addFile, announce, announceAll, readClip } from './recordings.ts';

let server: TestServer;
let client: Client;
let device: Device;
let stream: Stream;
beforeAll(async () => {
  server = await startTestServer({ fileSweepSeconds: 0.1 });
  client = (await server.admin.withKey()).client;
});
afterAll(() => server.stop());
beforeEach(async () => {
  device = await addDevice(client);
  stream = await openStream(server.url, server.admin);
  await heard();
});
afterEach(() => stream.close());

const mark = async () => ({ key: (await addDevice(client)).deviceID });
/** The changes of clips since the last call. */
const heard = async () =>
  (await stream.heard(mark)).filter(({ event }) => event === 'audioclip').map(({ change, key }) => `${change} ${key}`);

test('a clip is created, changed and removed, each time with the record that its GET shows', async () => {
  const clip = await announce(client, device, { startTime: 100 });
  const params = { audioClipID: clip.key };
  const created = await stream.until(({ event }) => event === 'audioclip');
  expect(created).toEqual({
    id: expect.any(String),
    event: 'audioclip',
    change: 'created',
    key: clip.key,
    deviceID: device.deviceID,
    record: clip,
  });
  await client.updateAudioClip({ params, body: { bitrate: 5 } });
  const changed = await stream.until(({ event, change }) => event === 'audioclip' && change === 'changed');
  expect(changed.record).toEqual(await readClip(client, clip));
  await client.deleteAudioClip({ params });
  const removed = await stream.until(({ event, change }) => event === 'audioclip' && change === 'removed');
  expect(removed).toEqual({ ...created, id: expect.any(String), change: 'removed', record: undefined });
});

test('only the new clips of a list are sent, and nothing of a refused request', async () => {
  const [first] = await announceAll(client, device, [{ startTime: 1 }]);
  const clips = await announceAll(client, device, [{ startTime: 2 }, { startTime: 1 }, { startTime: 3 }]);
  await expect(announceAll(client, device, [{ startTime: 9 }, { startTime: 5, endTime: 1 }])).rejects.toThrow();
  expect(await heard()).toEqual([first, clips[0], clips[2]].map((clip) => `created ${clip?.key}`));
});

test('patches, tags, locks and upload requests are changes; requests without an effect are not', async () => {
  const clip = await announce(client, device, { startTime: 100 });
  const params = { audioClipID: clip.key };
  await client.patchAudioClip({ params, body: [{ fieldName: 'bitrate', value: 1 }] });
  await client.patchAudioClip({ params, body: [{ fieldName: 'bitrate', value: 1 }] });
  const tag = await client.createAudioClipTag({ params, body: { tagName: 'dog' } });
  await client.createAudioClipTag({ params, body: { tagName: 'dog' } });
  await client.deleteAudioClipTag({ params: { ...params, audioClipTagID: tag.key ?? 0 } });
  await client.lockAudioClip({ params });
  await client.lockAudioClip({ params });
  await client.unlockAudioClip({ params });
  await client.requestUpload({ body: { deviceID: device.deviceID, audioClips: [clip.key] } });
  await client.requestUpload({ body: { deviceID: device.deviceID, audioClips: [clip.key] } });
  const times = (count: number) => Array.from({ length: count }, () => `changed ${clip.key}`);
  expect(await heard()).toEqual([`created ${clip.key}`, ...times(6)]);
});

test('values from the analysis of a file and the effects of retention are sent', async () => {
  const file = await addFile(client, { device });
  const clip = await announce(client, device, { startTime: 100, fileID: file.key, audioClipStatus: 3 });
  expect(await heard()).toEqual([`created ${clip.key}`, `changed ${clip.key}`]);
  const params = { deviceID: device.deviceID };
  await client.updateDevice({ params, body: { retentionDays: 1 } });
  await stream.until(({ event, change, key }) => event === 'audioclip' && change === 'removed' && key === clip.key);
});

test('clips are sent to people who may read their device', async () => {
  const person = await server.addPerson();
  const own = await addDevice(person.session);
  const listening = await openStream(server.url, person);
  await announce(client, device, { startTime: 1 });
  const theirs = await announce(person.session, own, { startTime: 1 });
  await listening.until(({ event, key }) => event === 'audioclip' && key === theirs.key);
  expect(listening.changes.filter(({ event }) => event === 'audioclip').map(({ key }) => key)).toEqual([theirs.key]);
  listening.close();
});
