import type { Client } from '@earshot/client/client';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, expect, test } from 'vitest';
import { addDevice } from '../../event/tests/fleet.ts';
import { sha256, tinyWav } from '../../file/tests/sound.ts';
import type { Tus } from './tus.ts';
import { clipIn, tusOf } from './tus.ts';

/* Recordings of recorders that lost power before they wrote the sizes, or that write to a stream. */

let client: Client;
let tus: Tus;
beforeAll(async () => {
  const server = await sharedTestServer();
  const person = await server.addPerson();
  client = person.session;
  tus = tusOf(server.url, person);
});

const startDate = '2026-11-15T01:10:00Z';

/** A WAV file whose sizes, of the file and of its sound, are these. */
function wavWith(size: number): Uint8Array<ArrayBuffer> {
  const wav = tinyWav();
  new DataView(wav.buffer).setUint32(4, size, true);
  new DataView(wav.buffer).setUint32(40, size, true);
  return wav;
}

test.each([
  ['0', 0, 'The header says 0 bytes of sound; the length was taken from the file.'],
  ['0xffffffff', 0xffffffff, 'The header does not say how long the sound is; the length was taken from the file.'],
  ['more than there is', 0x7ffffff0, 'The header says 2147483632 bytes of sound, but the file ends after 8000;'],
])('sound whose sizes are %s becomes a clip that says so, and its bytes stay', async (_name, size, fault) => {
  const { deviceID, deviceSerial } = await addDevice(client);
  const wav = wavWith(size);
  const path = await tus.create(wav.length, { deviceSerial, startDate });
  const audioClipID = clipIn(await tus.patch(path, 0, wav));
  const params = { audioClipID };
  expect(await client.getAudioClip({ params })).toMatchObject({ audioClipStatus: 3, clipLengthInSeconds: 1 });
  const recording = await client.getAudioClipRecording({ params });
  expect(recording.soundFault).toContain(fault);
  expect(await client.getWaveform({ params })).toMatchObject({ durationMs: 500 });
  const content = await client.getAudioClipContent({ params });
  expect(sha256(new Uint8Array(await content.arrayBuffer()))).toBe(sha256(wav));

  const startTime = Date.parse(startDate) / 1000 + 100;
  const { key = 0 } = await client.announceAudioClip({ params: { audioClipID: deviceSerial }, body: { startTime } });
  const put = await client.putAudioClipContent({ params: { audioClipID: key }, body: new Blob([wav]) });
  expect(put).toMatchObject({ deviceID, audioClipStatus: 3 });
  expect((await client.getAudioClipRecording({ params: { audioClipID: key } })).soundFault).toContain(fault);
});

test.each([
  ['cut before its format', 13],
  ['cut before its sound', 44],
])('a WAV file %s is refused, and the sentence says why', async (_name, length) => {
  const { deviceSerial } = await addDevice(client);
  const path = await tus.create(length, { deviceSerial, startDate });
  const response = await tus.patch(path, 0, wavWith(0).slice(0, length));
  const detail = 'The file begins as WAV, but has no sound that can be read: it is cut off or damaged.';
  expect([response.status, await response.json()]).toEqual([415, expect.objectContaining({ detail })]);
});

test('ten bytes of junk are no sound', async () => {
  const { deviceSerial } = await addDevice(client);
  const path = await tus.create(10, { deviceSerial, startDate });
  expect((await tus.patch(path, 0, new Uint8Array(10).fill(7))).status).toBe(415);
});
