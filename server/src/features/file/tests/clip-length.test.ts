import { execFileSync } from 'node:child_process';
import type { Client } from '@earshot/client/client';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { needs } from '@earshot/server/testing/needs';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice } from '../../event/tests/fleet.ts';
import { ffmpegPath } from '../../../platform/media/tests/programs.ts';
import { tinyWav } from './sound.ts';
import { addFile } from './uploading.ts';

// A clip is at most 24 hours long: every operation refuses longer sound for a clip.

const hour = 3_600;
const limit = 'and a clip is at most 24 hours; send it in parts';
let server: SharedServer;
let session: Client;
let device: Device;
let start = 1_794_700_000;
beforeAll(async () => {
  server = await sharedTestServer();
  session = server.admin.session;
});
beforeEach(async () => {
  device = await addDevice(session, { autoCaption: false });
});

/** One sample per second, so that a day is small. */
function slowWav(seconds: number): Uint8Array<ArrayBuffer> {
  const wav = new Uint8Array(44 + 2 * seconds);
  wav.set(tinyWav(0.001).subarray(0, 44));
  const view = new DataView(wav.buffer);
  view.setUint32(24, 1, true);
  view.setUint32(28, 2, true);
  view.setUint32(40, 2 * seconds, true);
  return wav;
}

const silence = ['-v', 'error', '-f', 'lavfi', '-i', 'anullsrc=r=500:cl=mono'];
const silentFlac = (hours: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    execFileSync(ffmpegPath, [
      ...silence,
      '-t',
      String(hours * hour),
      '-c:a',
      'flac',
      '-compression_level',
      '0',
      '-frame_size',
      '65535',
      '-f',
      'flac',
      'pipe:1',
    ]),
  );

const announce = async (more: object = {}) =>
  session.announceAudioClip({
    params: { audioClipID: device.deviceSerial },
    body: { startTime: (start += 200_000), ...more },
  });
const put = async (body: Uint8Array<ArrayBuffer>) => {
  const { key: audioClipID = 0 } = await announce();
  return session.putAudioClipContent({ params: { audioClipID }, body });
};
const filesOfDevice = () => server.db`select key from files where device_id = ${device.deviceID}`;

test('a clip may be a whole day long', async () => {
  expect(await put(slowWav(24 * hour))).toMatchObject({ audioClipStatus: 3, clipLengthInSeconds: 24 * hour });
});

test('uploaded sound is refused with its length and the limit, and not stored', async () => {
  await expect(put(slowWav(30 * hour + 62))).rejects.toMatchObject({
    status: 413,
    message: `The sound is 30 h 1 min 2 s long, ${limit}.`,
  });
  await expect(put(slowWav(72 * hour))).rejects.toMatchObject({
    status: 413,
    message: 'The sound is longer than 48 hours. A clip is at most 24 hours long.',
  });
  expect(await filesOfDevice()).toHaveLength(0);
});

test('sound that needs a decoder is refused too', needs('ffmpeg'), async () => {
  await expect(put(silentFlac(25))).rejects.toMatchObject({
    status: 413,
    message: `The sound is 25 h 0 min 0 s long, ${limit}.`,
  });
  await expect(put(silentFlac(50))).rejects.toMatchObject({
    status: 413,
    message: expect.stringContaining('48 hours'),
  });
  expect(await filesOfDevice()).toHaveLength(0);
});

describe('an existing file', () => {
  const refusal = (path: string) => ({
    status: 400,
    problem: { errors: [{ path, message: `names sound that is 25 h 0 min 0 s long, ${limit}` }] },
  });
  const addLong = () => addFile(server.admin, slowWav(25 * hour), { deviceSerial: device.deviceSerial });

  test('is kept, but refused when a clip is announced with it', async () => {
    const { key: fileID } = await addLong();
    await expect(announce({ fileID })).rejects.toMatchObject(refusal('fileID'));
    const short = await addFile(server.admin, tinyWav(1), { deviceSerial: device.deviceSerial });
    const body = [
      { startTime: 1_000, fileID: short.key },
      { startTime: 2_000, fileID },
    ];
    const asked = session.announceAudioClips({ params: { deviceSerial: device.deviceSerial }, body });
    await expect(asked).rejects.toMatchObject(refusal('[1].fileID'));
    expect(await session.listAudioClips({ body: { deviceID: device.deviceID } })).toEqual([]);
    // Its length is known now, so another given length does not help.
    await expect(announce({ fileID, clipLengthInSeconds: 5, bitrate: 16 })).rejects.toMatchObject(refusal('fileID'));
    expect(await session.getFile({ params: { fileID } })).toMatchObject({ fileStatus: 1 });
  });

  test('is refused in a PUT or PATCH of a clip, and the clip is not changed', async () => {
    const { key: fileID } = await addLong();
    const clip = await announce();
    const params = { audioClipID: clip.key ?? 0 };
    await expect(session.updateAudioClip({ params, body: { fileID } })).rejects.toMatchObject(refusal('fileID'));
    const patch = [{ fieldName: 'fileID', value: fileID }];
    await expect(session.patchAudioClip({ params, body: patch })).rejects.toMatchObject(refusal('fileID'));
    expect(await session.getAudioClip({ params })).toEqual(clip);
    const short = await addFile(server.admin, tinyWav(1), { deviceSerial: device.deviceSerial });
    await session.patchAudioClip({ params, body: [{ fieldName: 'fileID', value: short.key }] });
    expect(await session.getAudioClip({ params })).toMatchObject({ fileID: short.key, clipLengthInSeconds: 1 });
  });

  test('of an existing clip that is too long is returned when the clip is announced again', async () => {
    const { key: fileID } = await addLong();
    const clip = await announce();
    await server.db`update audio_clips set file_id = ${fileID} where key = ${clip.key ?? 0}`;
    const again = await announce({ startTime: clip.startTime, fileID });
    expect(again.key).toBe(clip.key);
  });
});
