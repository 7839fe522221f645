import type { Client } from '@earshot/client/client';
import type { AudioClipUpdate } from '@earshot/contract/audio-clip';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice, refusedWith } from '../../event/tests/fleet.ts';
import type { KeyedClip } from './recordings.ts';
import { addFile, announce, readClip } from './recordings.ts';

let server: SharedServer;
let client: Client;
let device: Device;
let clip: KeyedClip;
beforeAll(async () => {
  server = await sharedTestServer();
  client = (await server.admin.withKey()).client;
});
beforeEach(async () => {
  device = await addDevice(client);
  clip = await announce(client, device, { startTime: 100, clipLengthInSeconds: 60, bitrate: 5 });
});

const update = (body: AudioClipUpdate) => client.updateAudioClip({ params: { audioClipID: clip.key }, body });
const present = () => readClip(client, clip);

test('given fields are set, null clears a field, the others are kept', async () => {
  await update({ bitrate: 9, localFilePath: '/a', audioClipParameters: '{}', tagListID: 4, fileSize: 7 });
  const changed = { bitrate: 9, localFilePath: '/a', audioClipParameters: '{}', tagListID: 4, fileSize: 7 };
  expect(await present()).toEqual({
    ...clip,
    ...changed,
    lastModifiedDate: expect.any(String),
    lastModifiedBy: server.admin.userID,
  });
  await update({ bitrate: null, localFilePath: null, audioClipParameters: null, tagListID: null, fileSize: null });
  const { bitrate: _cleared, ...rest } = clip;
  expect(await present()).toEqual({
    ...rest,
    lastModifiedDate: expect.any(String),
    lastModifiedBy: server.admin.userID,
  });
});

test('a cleared type or status is 0, and the device of a clip cannot be changed', async () => {
  await update({ audioClipTypeID: 3, audioClipStatus: 2 });
  expect(await present()).toMatchObject({ audioClipTypeID: 3, audioClipStatus: 2 });
  const other = await addDevice(client);
  await update({ audioClipTypeID: null, audioClipStatus: null, deviceID: other.deviceID } as AudioClipUpdate);
  expect(await present()).toMatchObject({ audioClipTypeID: 0, audioClipStatus: 0, deviceID: device.deviceID });
});

test('a clip cannot get the start and type of another clip', async () => {
  await announce(client, device, { startTime: 200, startTimeMs: 5 });
  await announce(client, device, { startTime: 100, audioClipTypeID: 2 });
  await expect(update({ startTime: 200, startTimeMs: 5 })).rejects.toEqual(refusedWith(409, /Another clip/));
  await expect(update({ audioClipTypeID: 2 })).rejects.toEqual(refusedWith(409, /Another clip/));
  await expect(
    client.patchAudioClip({ params: { audioClipID: clip.key }, body: [{ fieldName: 'audioClipTypeID', value: 2 }] }),
  ).rejects.toEqual(refusedWith(409));
  expect(await present()).toEqual(clip);
  await update({ startTime: 200 });
  expect(await present()).toMatchObject({ startTime: 200, startTimeMs: 0 });
});

test('tags and captions move with the start of the clip', async () => {
  const params = { audioClipID: clip.key };
  await client.createAudioClipTag({ params, body: { tagName: 'dog', timestamp: 110, timestampMs: 5 } });
  await update({ startTime: 1100 });
  expect(await client.listAudioClipTags({ params })).toMatchObject([{ timestamp: 1110, timestampMs: 5 }]);
  const [{ tagID = 0 } = {}] = await client.listAudioClipTags({ params });
  const found = (startEpoch: number) =>
    client.listAudioClips({
      body: { tagList: [tagID], deviceID: device.deviceID, startEpoch, endEpoch: startEpoch + 60 },
    });
  expect(await found(100)).toEqual([]);
  expect(await found(1100)).toMatchObject([{ key: clip.key }]);
});

describe('the file of a clip', () => {
  test('is accepted if it is available, and sets unknown values', async () => {
    const file = await addFile(client, { device, seconds: 1 });
    await update({ fileID: file.key, audioClipStatus: 3, endTime: null, bitrate: null });
    expect(await present()).toMatchObject({ fileID: file.key, audioClipStatus: 3, fileSize: file.fileSize });
    expect(await present()).toMatchObject({ endTime: 101, endTimeMs: 0, bitrate: 128_000 });
  });

  test('keeps known values, except the size', async () => {
    await update({ fileSize: 1 });
    const [first, second] = [await addFile(client), await addFile(client, { seconds: 1 })];
    await update({ fileID: first.key });
    expect(await present()).toMatchObject({ fileSize: 1, endTime: 160, bitrate: 5 });
    await update({ fileID: second.key });
    expect(await present()).toMatchObject({ fileSize: second.fileSize, endTime: 160, bitrate: 5 });
    await update({ fileID: first.key, fileSize: 3 });
    expect(await present()).toMatchObject({ fileID: first.key, fileSize: 3 });
  });

  test('is refused if it does not exist, is incomplete, or belongs to another device', async () => {
    const waiting = await addFile(client, { device, isWaiting: true });
    const others = await addFile(client, { device: await addDevice(client) });
    for (const fileID of [waiting.key, others.key, 987_654_321]) {
      await expect(update({ fileID })).rejects.toEqual(refusedWith(409));
      await expect(
        client.patchAudioClip({ params: { audioClipID: clip.key }, body: [{ fieldName: 'fileID', value: fileID }] }),
      ).rejects.toEqual(refusedWith(409));
    }
    expect(await present()).toEqual(clip);
  });

  test('decides the status of the clip', async () => {
    await update({ audioClipStatus: 3 });
    expect(await present()).toMatchObject({ audioClipStatus: 2 });
    const file = await addFile(client);
    await update({ fileID: file.key });
    expect(await present()).toMatchObject({ audioClipStatus: 3 });
    await update({ fileID: null });
    expect(await present()).toMatchObject({ audioClipStatus: 0 });
    expect((await present()).fileID).toBeUndefined();
    await update({ fileID: file.key, audioClipStatus: 4 });
    expect(await present()).toMatchObject({ audioClipStatus: 3 });
    await update({ fileID: null, audioClipStatus: 4 });
    expect(await present()).toMatchObject({ audioClipStatus: 1 });
  });

  test('is marked as expired by the platform only', async () => {
    await update({ audioClipStatus: 5 });
    expect(await present()).toMatchObject({ audioClipStatus: 0 });
    await server.db`update audio_clips set audio_clip_status = 5 where key = ${clip.key}`;
    // A client may send the complete record back without a change.
    await update({ audioClipStatus: 5, bitrate: 8 });
    expect(await present()).toMatchObject({ audioClipStatus: 5, bitrate: 8 });
  });
});

describe('a patch', () => {
  const patch = (body: Parameters<Client['patchAudioClip']>[0]['body']) =>
    client.patchAudioClip({ params: { audioClipID: clip.key }, body });

  test('is accepted in both forms, also mixed, and answered with a sentence', async () => {
    const answer = await patch([
      { op: 'test', path: '/startTime', value: 100 },
      { op: 'replace', path: '/bitrate', value: 64 },
      { fieldName: 'AUDIOCLIPSTATUS', value: '2' },
      { op: 'copy', from: '/bitrate', path: '/fileSize' },
      { fieldName: 'localFilePath', value: '/b' },
    ]);
    expect(answer).toBe(`The audio clip ${clip.key} was changed.`);
    expect(await present()).toMatchObject({ bitrate: 64, audioClipStatus: 2, fileSize: 64, localFilePath: '/b' });
    await patch([
      { op: 'remove', path: '/bitrate' },
      { fieldName: 'localFilePath', value: null },
    ]);
    expect(Object.keys(await present())).not.toEqual(expect.arrayContaining(['bitrate', 'localFilePath']));
  });

  test('can set the file of the clip', async () => {
    const file = await addFile(client, { device });
    await patch([
      { fieldName: 'fileID', value: String(file.key) },
      { fieldName: 'audioClipStatus', value: '3' },
    ]);
    expect(await present()).toMatchObject({ fileID: file.key, audioClipStatus: 3, fileSize: file.fileSize });
  });

  test('changes nothing when one of its operations cannot be applied', async () => {
    const good = { op: 'replace', path: '/bitrate', value: 64 } as const;
    await expect(patch([good, { op: 'test', path: '/bitrate', value: 65 }])).rejects.toEqual(refusedWith(409));
    await expect(patch([good, { op: 'replace', path: '/startTime', value: 1 }])).rejects.toEqual(refusedWith(400));
    await expect(patch([good, { fieldName: 'endTime', value: 1 }])).rejects.toEqual(refusedWith(400));
    await expect(patch([good, { fieldName: 'audioClipStatus', value: 7 }])).rejects.toEqual(refusedWith(400));
    await expect(patch([good, { fieldName: 'fileID', value: 987_654_321 }])).rejects.toEqual(refusedWith(409));
    expect(await present()).toEqual(clip);
  });

  test('that changes nothing says so, and records no change', async () => {
    expect(await patch([{ fieldName: 'bitrate', value: 5 }])).toBe(
      `The audio clip ${clip.key} already has these values.`,
    );
    expect(await present()).toEqual(clip);
  });

  test('of one field does not overwrite a concurrent one of another field', async () => {
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        patch([index % 2 === 0 ? { fieldName: 'bitrate', value: 1000 } : { fieldName: 'fileSize', value: 2000 }]),
      ),
    );
    expect(await present()).toMatchObject({ bitrate: 1000, fileSize: 2000 });
  });
});
