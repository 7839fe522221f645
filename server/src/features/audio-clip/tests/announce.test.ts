import type { Client } from '@earshot/client/client';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addCollection, addDevice as addDeviceOf } from '../../../../../tests/access/places.ts';
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

const listed = () => client.listAudioClips({ body: { deviceID: device.deviceID, count: 1000, order: 'asc' } });

test('an announced clip has exactly the given values', async () => {
  const body = {
    startTime: 100,
    clipLengthInSeconds: 60,
    audioClipStatus: 2,
    audioClipTypeID: 7,
    audioClipParameters: '{"gain":12}',
    localFilePath: '/recordings/100.flac',
    fileSize: 5,
    bitrate: 256_000,
    tagListID: 9,
  };
  const clip = await announce(client, device, body);
  expect(clip).toEqual({
    ...body,
    key: expect.any(Number),
    userID: server.admin.userID,
    deviceID: device.deviceID,
    startTimeMs: 0,
    endTime: 160,
    endTimeMs: 0,
    creationDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    createdBy: server.admin.userID,
  });
  expect(await readClip(client, clip)).toEqual(clip);
});

test('missing fields have defaults, and fields that the service sets are ignored', async () => {
  const body = { startTime: 100, key: 5, deviceID: 99, userID: 99, creationDate: 'yesterday' } as { startTime: number };
  const clip = await announce(client, device, body);
  expect(clip).toMatchObject({ deviceID: device.deviceID, audioClipStatus: 0, audioClipTypeID: 0 });
  expect(clip.key).not.toBe(5);
});

describe('a clip that is announced again', () => {
  const first = { startTime: 100, startTimeMs: 5, audioClipTypeID: 1, clipLengthInSeconds: 60 };

  test('is the existing one, unchanged, by any operation', async () => {
    const clip = await announce(client, device, first);
    const again = { ...first, clipLengthInSeconds: 1, bitrate: 5 };
    expect(await announce(client, device, again)).toEqual(clip);
    expect(await announceAll(client, device, [again])).toEqual([clip]);
    expect(await client.createAudioClip({ body: { deviceID: device.deviceID, ...again } })).toEqual(clip);
    expect(await listed()).toHaveLength(1);
  });

  test.each([{ startTime: 101 }, { startTimeMs: 6 }, { audioClipTypeID: 0 }])(
    'is a different one with %j',
    async (other) => {
      const clip = await announce(client, device, first);
      expect((await announce(client, device, { ...first, ...other })).key).not.toBe(clip.key);
    },
  );

  test('is a different one on another device', async () => {
    const clip = await announce(client, device, first);
    expect((await announce(client, await addDevice(client), first)).key).not.toBe(clip.key);
  });

  test('is validated nevertheless', async () => {
    await announce(client, device, first);
    await expect(announce(client, device, { ...first, endTime: 1 })).rejects.toEqual(refusedWith(400));
  });
});

describe('a list', () => {
  test('is answered in the order of the request, with new, existing and repeated clips', async () => {
    const there = await announceAll(client, device, [{ startTime: 5 }, { startTime: 3, audioClipTypeID: 2 }]);
    const answered = await announceAll(client, device, [
      { startTime: 9, bitrate: 1 },
      { startTime: 3, audioClipTypeID: 2 },
      { startTime: 1 },
      { startTime: 9, bitrate: 2 },
      { startTime: 5 },
      { startTime: 3 },
    ]);
    expect(answered.map(({ startTime }) => startTime)).toEqual([9, 3, 1, 9, 5, 3]);
    expect([answered[1], answered[4]]).toEqual([there[1], there[0]]);
    // Of two equal clips the first counts.
    expect(answered[3]).toEqual(answered[0]);
    expect(answered[0]?.bitrate).toBe(1);
    expect(await listed()).toHaveLength(5);
  });

  test('accepts at most a thousand clips', async () => {
    const clips = Array.from({ length: 1001 }, (_, startTime) => ({ startTime }));
    await expect(announceAll(client, device, clips)).rejects.toEqual(refusedWith(400));
    expect(await listed()).toEqual([]);
    const answered = await announceAll(client, device, clips.slice(1));
    expect(answered.map(({ startTime }) => startTime)).toEqual(clips.slice(1).map(({ startTime }) => startTime));
    expect(await listed()).toHaveLength(1000);
    await expect(announceAll(client, device, [])).rejects.toEqual(refusedWith(400));
  });

  test('is accepted completely or not at all, and the errors name the clips', async () => {
    const wrong = announceAll(client, device, [
      { startTime: 1 },
      { startTime: 5, endTime: 4 },
      { startTime: 2 },
      { startTime: 9, endTime: 1 },
    ]);
    await expect(wrong).rejects.toMatchObject({
      status: 400,
      problem: { errors: [{ path: '[1].endTime' }, { path: '[3].endTime' }] },
    });
    await expect(announceAll(client, device, [{ startTime: 1 }, {} as { startTime: number }])).rejects.toMatchObject({
      problem: { errors: [{ path: '[1].startTime' }] },
    });
    const unusable = [{ startTime: 1 }, { startTime: 2, fileID: 987_654_321 }];
    await expect(announceAll(client, device, unusable)).rejects.toEqual(refusedWith(409));
    expect(await listed()).toEqual([]);
  });
});

describe('the file of an announced clip', () => {
  test('makes the clip available and sets its size, length and bitrate', async () => {
    const file = await addFile(client, { device, seconds: 2 });
    const clip = await announce(client, device, { startTime: 100, fileID: file.key, audioClipStatus: 3 });
    expect(clip).toMatchObject({ fileID: file.key, audioClipStatus: 3, fileSize: file.fileSize, endTime: 102 });
    expect(clip).toMatchObject({ endTimeMs: 0, clipLengthInSeconds: 2, bitrate: 128_000 });
    expect(await readClip(client, clip)).toEqual(clip);
    // Announced again after its file was removed, the existing clip is returned.
    await client.updateAudioClip({ params: { audioClipID: clip.key }, body: { audioClipStatus: 0, fileID: null } });
    await client.deleteFile({ params: { fileID: file.key } });
    expect(await announce(client, device, { startTime: 100, fileID: file.key, audioClipStatus: 3 })).toMatchObject({
      key: clip.key,
      audioClipStatus: 0,
    });
  });

  test('does not override given values', async () => {
    const file = await addFile(client);
    const said = { clipLengthInSeconds: 60, bitrate: 5, fileSize: 6 };
    expect(await announce(client, device, { startTime: 100, fileID: file.key, ...said })).toMatchObject({
      ...said,
      audioClipStatus: 3,
    });
  });

  test('must be available, of the device or of none, and writable for the caller', async () => {
    const stranger = await server.addPerson();
    const strangers = await addFile((await stranger.withKey()).client);
    const others = await addFile(client, { device: await addDevice(client) });
    const waiting = await addFile(client, { device, isWaiting: true });
    const { client: owner } = await (await server.addPerson()).withKey();
    const own = await addDevice(owner);
    for (const fileID of [others.key, waiting.key, 987_654_321]) {
      await expect(announce(client, device, { startTime: 1, fileID })).rejects.toEqual(
        refusedWith(409, /is not available/),
      );
    }
    await expect(announce(owner, own, { startTime: 1, fileID: strangers.key })).rejects.toEqual(refusedWith(409));
    // Clients that cannot send null send 0.
    expect((await announce(client, device, { startTime: 1, fileID: 0 })).fileID).toBeUndefined();
  });
});

describe('the device of a clip', () => {
  test('may be named in three ways', async () => {
    const { deviceID, deviceSerial } = await addDevice(client, { deviceName: `Gate ${device.deviceSerial}` });
    const deviceName = `Gate ${device.deviceSerial}`;
    for (const [startTime, named] of [{ deviceID }, { deviceName }, { deviceName: deviceSerial }].entries()) {
      expect(await client.createAudioClip({ body: { ...named, startTime } })).toMatchObject({ deviceID, startTime });
    }
    await expect(client.createAudioClip({ body: { startTime: 1 } })).rejects.toEqual(refusedWith(400));
    await expect(client.createAudioClip({ body: { startTime: 1, deviceName: 'nobody' } })).rejects.toEqual(
      refusedWith(404),
    );
    await addDevice(client, { deviceName });
    await expect(client.createAudioClip({ body: { startTime: 1, deviceName } })).rejects.toEqual(refusedWith(409));
  });

  test('is not found by people without access, and readers get 403', async () => {
    const [owner, reader] = [await server.addPerson(), await server.addPerson()];
    const own = await addDeviceOf(owner);
    const named = { deviceID: own.key, deviceSerial: own.deviceSerial ?? '' };
    const { session } = reader;
    const bodies = [{ startTime: 1 }, { startTime: 1, audioClipStatus: 3, fileID: 1 }];
    await announce(owner.session, named, { startTime: 1 });
    for (const body of bodies) await expect(announce(session, named, body)).rejects.toEqual(refusedWith(404));
    await addCollection(owner, { members: [reader], devices: [own] });
    for (const body of bodies) {
      await expect(announce(session, named, body)).rejects.toEqual(refusedWith(403));
      await expect(session.createAudioClip({ body: { deviceID: own.key, ...body } })).rejects.toEqual(refusedWith(403));
      await expect(announceAll(session, named, [body])).rejects.toEqual(refusedWith(403));
    }
  });
});
