import type { Client } from '@earshot/client/client';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, describe, expect, test } from 'vitest';
import { addDevice } from '../../event/tests/fleet.ts';
import { sha256, tinyWav } from '../../file/tests/sound.ts';
import type { Tus } from './tus.ts';
import { clipIn, metadataOf, offsetIn, tusOf } from './tus.ts';

let client: Client;
let tus: Tus;
beforeAll(async () => {
  const server = await sharedTestServer();
  const person = await server.addPerson();
  client = person.session;
  tus = tusOf(server.url, person);
});

const startDate = '2026-11-15T01:10:00.250Z';
const startTime = Date.parse(startDate);
const clipOf = (audioClipID: number) => client.getAudioClip({ params: { audioClipID } });

describe('an upload', () => {
  test('of a recording in two pieces becomes a clip with its sound', async () => {
    const { deviceID, deviceSerial } = await addDevice(client);
    const wav = tinyWav();
    const path = await tus.create(wav.length, { filename: 'dawn.wav', deviceSerial, startDate, sha256: sha256(wav) });
    const first = await tus.patch(path, 0, wav.slice(0, 5000));
    expect([first.status, offsetIn(first), clipIn(first)]).toEqual([204, 5000, Number.NaN]);
    const between = await tus.head(path);
    expect([between.status, offsetIn(between), between.headers.get('upload-length')]).toEqual([200, 5000, '8044']);
    const last = await tus.patch(path, 5000, wav.slice(5000));
    expect([last.status, offsetIn(last)]).toEqual([204, wav.length]);
    const clip = await clipOf(clipIn(last));
    expect(clip).toMatchObject({
      deviceID,
      audioClipStatus: 3,
      fileSize: wav.length,
      startTime: Math.floor(startTime / 1000),
      startTimeMs: 250,
      clipLengthInSeconds: 1,
    });
    const file = await client.getFile({ params: { fileID: clip.fileID ?? 0 } });
    expect(file).toMatchObject({
      filename: 'dawn.wav',
      sHA256Hash: sha256(wav),
      contentType: 'audio/wav',
      fileStatus: 1,
    });
    const content = await client.getAudioClipContent({ params: { audioClipID: clip.key ?? 0 } });
    expect(sha256(new Uint8Array(await content.arrayBuffer()))).toBe(sha256(wav));
    const after = await tus.head(path);
    expect([offsetIn(after), clipIn(after)]).toEqual([wav.length, clip.key]);
    expect(after.headers.get('upload-metadata')).toContain('filename ZGF3bi53YXY=');
  });

  test('may contain all bytes in its creation', async () => {
    const { deviceID } = await addDevice(client);
    const wav = tinyWav();
    const headers = { 'upload-length': String(wav.length), 'upload-metadata': metadataOf({ deviceID, startDate }) };
    const response = await tus.send('POST', '/v1/upload', headers, wav);
    expect([response.status, offsetIn(response)]).toEqual([201, wav.length]);
    expect(await clipOf(clipIn(response))).toMatchObject({ deviceID, audioClipStatus: 3 });
  });
});
