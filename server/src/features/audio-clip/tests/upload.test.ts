import type { Client } from '@earshot/client/client';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice, refusedWith } from '../../event/tests/fleet.ts';
import { addFile, announce, announceAll, readClip } from './recordings.ts';

let server: SharedServer;
let client: Client;
let device: Device;
beforeAll(async () => {
  server = await sharedTestServer();
  client = (await server.admin.withKey()).client;
});
beforeEach(async () => {
  device = await addDevice(client);
});

const request = (audioClips: number[]) => client.requestUpload({ body: { deviceID: device.deviceID, audioClips } });
const events = () => client.listEvents({ body: { deviceID: device.deviceID } });
const taken = () => client.dequeueEvent({ body: { deviceSerial: device.deviceSerial, agentType: 'Transfer' } });

test('the device gets one event with the clips, whose status is requested', async () => {
  const [a, b] = [await announce(client, device, { startTime: 1 }), await announce(client, device, { startTime: 2 })];
  const untouched = await announce(client, device, { startTime: 3 });
  expect(await request([b.key, a.key, b.key])).toBeUndefined();
  expect(await events()).toHaveLength(1);
  const event = await taken();
  expect(event).toMatchObject({ deviceID: device.deviceID, serverEvent: 0, maxAttempts: 3, attemptNumber: 1 });
  expect(JSON.parse(event?.eventParameters ?? '')).toEqual({ audioClips: [b.key, a.key] });
  expect([(await readClip(client, a)).audioClipStatus, (await readClip(client, b)).audioClipStatus]).toEqual([1, 1]);
  expect(await readClip(client, untouched)).toEqual(untouched);
});

test('a clip with sound stays available', async () => {
  const file = await addFile(client, { device });
  const here = await announce(client, device, { startTime: 1, fileID: file.key, audioClipStatus: 3 });
  const failed = await announce(client, device, { startTime: 2 });
  await server.db`update audio_clips set audio_clip_status = 4 where key = ${failed.key}`;
  await request([here.key, failed.key]);
  expect(await readClip(client, here)).toEqual(here);
  expect(await readClip(client, failed)).toMatchObject({ audioClipStatus: 1, lastModifiedBy: server.admin.userID });
  expect(JSON.parse((await taken())?.eventParameters ?? '')).toEqual({ audioClips: [here.key, failed.key] });
});

test('an unknown clip or one of another device is named, and nothing is changed', async () => {
  const own = await announce(client, device, { startTime: 1 });
  const other = await announce(client, await addDevice(client), { startTime: 1 });
  await expect(request([own.key, other.key, 987_654_321])).rejects.toMatchObject({
    status: 400,
    problem: { errors: [{ path: 'audioClips[1]' }, { path: 'audioClips[2]' }] },
  });
  expect(await events()).toEqual([]);
  expect(await readClip(client, own)).toEqual(own);
  expect(await readClip(client, other)).toEqual(other);
});

test('a request may have up to a thousand clips, but not none', async () => {
  const clips = await announceAll(
    client,
    device,
    Array.from({ length: 1000 }, (_, startTime) => ({ startTime })),
  );
  await request(clips.map(({ key }) => key ?? 0));
  expect(JSON.parse((await taken())?.eventParameters ?? '').audioClips).toHaveLength(1000);
  await expect(request([])).rejects.toEqual(refusedWith(400));
});

test('a waiting Transfer agent is woken', async () => {
  const clip = await announce(client, device, { startTime: 1 });
  const waiting = client.longPollEvents({ body: { deviceSerial: device.deviceSerial, agentType: 'Transfer' } });
  await request([clip.key]);
  expect(await waiting).toMatchObject([{ eventType: 'Upload_audio_clips' }]);
});
