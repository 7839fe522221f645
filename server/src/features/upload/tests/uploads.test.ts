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
const startMs = Date.parse(startDate);
const wav = tinyWav();
const clipOf = (audioClipID: number) => client.getAudioClip({ params: { audioClipID } });

/** Uploads a recording in one PATCH, and returns the response. */
async function upload(bytes: Uint8Array<ArrayBuffer>, metadata: Readonly<Record<string, string | number>>) {
  const path = await tus.create(bytes.length, metadata);
  return { path, response: await tus.patch(path, 0, bytes) };
}

async function startOf(response: Response): Promise<string> {
  const { startTime = 0, startTimeMs } = await clipOf(clipIn(response));
  return new Date(startTime * 1000 + (startTimeMs ?? 0)).toISOString();
}

describe('an upload', () => {
  test('of a recording in two pieces becomes a clip with its sound', async () => {
    const { deviceID, deviceSerial } = await addDevice(client);
    const path = await tus.create(wav.length, { filename: 'dawn.wav', deviceSerial, startDate, sha256: sha256(wav) });
    const first = await tus.patch(path, 0, wav.slice(0, 5000));
    expect([first.status, offsetIn(first), clipIn(first)]).toEqual([204, 5000, Number.NaN]);
    const between = await tus.head(path);
    expect([between.status, offsetIn(between), between.headers.get('upload-length')]).toEqual([200, 5000, '8044']);
    expect(Date.parse(between.headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now());
    const last = await tus.patch(path, 5000, wav.slice(5000));
    expect([last.status, offsetIn(last)]).toEqual([204, wav.length]);
    const clip = await clipOf(clipIn(last));
    expect(clip).toMatchObject({
      deviceID,
      audioClipStatus: 3,
      fileSize: wav.length,
      startTime: Math.floor(startMs / 1000),
      startTimeMs: 250,
      clipLengthInSeconds: 1,
    });
    const file = await client.getFile({ params: { fileID: clip.fileID ?? 0 } });
    const contentType = 'audio/wav';
    expect(file).toMatchObject({ filename: 'dawn.wav', sHA256Hash: sha256(wav), contentType, fileStatus: 1 });
    const content = await client.getAudioClipContent({ params: { audioClipID: clip.key ?? 0 } });
    expect(sha256(new Uint8Array(await content.arrayBuffer()))).toBe(sha256(wav));
    const after = await tus.head(path);
    expect([offsetIn(after), clipIn(after)]).toEqual([wav.length, clip.key]);
    expect(after.headers.get('upload-metadata')).toContain('filename ZGF3bi53YXY=');
    const repeated = await tus.patch(path, wav.length, new Uint8Array());
    expect([repeated.status, clipIn(repeated)]).toEqual([204, clip.key]);
  });

  test('may contain all bytes in its creation, or some', async () => {
    const { deviceID } = await addDevice(client);
    const headers = { 'upload-length': String(wav.length), 'upload-metadata': metadataOf({ deviceID, startDate }) };
    const whole = await tus.send('POST', '/v1/upload', headers, wav);
    expect([whole.status, offsetIn(whole)]).toEqual([201, wav.length]);
    expect(await clipOf(clipIn(whole))).toMatchObject({ deviceID, audioClipStatus: 3 });
    const some = await tus.send('POST', '/v1/upload', headers, wav.slice(0, 100));
    expect([some.status, offsetIn(some), clipIn(some)]).toEqual([201, 100, Number.NaN]);
    const rest = await tus.patch(some.headers.get('location') ?? '', 100, wav.slice(100));
    expect([rest.status, offsetIn(rest)]).toEqual([204, wav.length]);
  });

  test('is captioned like any other sound', async () => {
    const { deviceID, deviceSerial } = await addDevice(client);
    const { response } = await upload(wav, { deviceSerial, startDate });
    const events = await client.listEvents({ body: { deviceID } });
    expect(events).toHaveLength(1);
    expect(events[0]?.eventParameters).toContain(String(clipIn(response)));
  });

  test('that is ended leaves nothing; a finished one leaves its clip', async () => {
    const { deviceSerial } = await addDevice(client);
    const path = await tus.create(wav.length, { deviceSerial, startDate });
    await tus.patch(path, 0, wav.slice(0, 100));
    expect((await tus.send('DELETE', path)).status).toBe(204);
    expect((await tus.head(path)).status).toBe(404);
    expect((await tus.send('DELETE', path)).status).toBe(404);
    const done = await upload(wav, { deviceSerial, startDate });
    expect((await tus.send('DELETE', done.path)).status).toBe(204);
    expect((await tus.head(done.path)).status).toBe(404);
    expect(await clipOf(clipIn(done.response))).toMatchObject({ audioClipStatus: 3 });
  });
});

test.each([
  ['C:\\fakepath\\dawn.wav', 'dawn.wav'],
  ['\\\\server\\share\\dawn.wav', 'dawn.wav'],
  ['DCIM/100\\a.wav', '100\\a.wav'],
  ['north\\south.wav', 'north\\south.wav'],
])('%s is kept as the name %s', async (filename, kept) => {
  const { deviceSerial } = await addDevice(client);
  const clip = await clipOf(clipIn((await upload(wav, { filename, startDate, deviceSerial })).response));
  const file = await client.getFile({ params: { fileID: clip.fileID ?? 0 } });
  expect(file.filename).toBe(kept);
});

describe('the start of a recording', () => {
  test.each([
    ['the name', { filename: '20221205_191730.WAV' }, '2022-12-05T19:17:30.000Z'],
    ['startDate before the name', { filename: '20221205_191730.WAV', startDate }, startDate],
    [
      'its own date',
      { filename: 'dawn.wav', lastModifiedDate: '2023-01-02T03:04:05+01:00' },
      '2023-01-02T02:04:05.000Z',
    ],
  ])('is read from %s', async (_source, metadata, expected) => {
    const { deviceSerial } = await addDevice(client);
    const { response } = await upload(wav, { ...metadata, deviceSerial });
    expect(await startOf(response)).toBe(expected);
  });

  test('is read from GUANO behind the sound, with the position', async () => {
    const { deviceID, deviceSerial } = await addDevice(client);
    const text = Buffer.from('GUANO|Version: 1.0\nTimestamp: 2021-05-06T07:08:09+02:00\nLoc Position: 47.5 8.25\n');
    const length = Buffer.alloc(4);
    length.writeUInt32LE(text.length);
    const bytes = new Uint8Array(Buffer.concat([tinyWav(40), Buffer.from('guan'), length, text]));
    const { response } = await upload(bytes, { deviceSerial, filename: '20221205_191730.WAV' });
    expect(await startOf(response)).toBe('2021-05-06T05:08:09.000Z');
    expect(await client.getDevicePosition({ params: { deviceID } })).toMatchObject({ latitude: 47.5, longitude: 8.25 });
  });

  test('is the time of the upload if nothing tells it', async () => {
    const { deviceSerial } = await addDevice(client);
    const before = Date.now() - 1000;
    const { response } = await upload(wav, { deviceSerial });
    expect(Date.parse(await startOf(response))).toBeGreaterThan(before);
  });
});

describe('recordings of one device in the same second', () => {
  test('with the same bytes are one clip', async () => {
    const { deviceID, deviceSerial } = await addDevice(client);
    const first = await upload(wav, { deviceSerial, startDate });
    const again = await upload(wav, { deviceSerial, startDate });
    expect(again.response.status).toBe(204);
    expect(clipIn(again.response)).toBe(clipIn(first.response));
    expect(clipIn(await tus.head(again.path))).toBe(clipIn(first.response));
    const clips = await client.listAudioClips({ body: { deviceID } });
    expect(clips).toHaveLength(1);
  });

  test('with other bytes are clips a millisecond apart, also when they are sent again', async () => {
    const { deviceSerial } = await addDevice(client);
    const sounds = [wav, tinyWav(0.5, 500), tinyWav(0.5, 600)];
    const sent = await Promise.all(sounds.map((bytes) => upload(bytes, { deviceSerial, startDate })));
    const keys = sent.map(({ response }) => clipIn(response));
    expect(new Set(keys).size).toBe(3);
    const starts = await Promise.all(sent.map(({ response }) => startOf(response)));
    const expected = [0, 1, 2].map((shift) => new Date(startMs + shift).toISOString());
    expect(starts.toSorted()).toEqual(expected);
    for (const [index, bytes] of sounds.entries()) {
      expect(clipIn((await upload(bytes, { deviceSerial, startDate })).response)).toBe(keys[index]);
    }
  });

  test('with the same bytes at the same time are one clip', async () => {
    const { deviceID, deviceSerial } = await addDevice(client);
    const sent = await Promise.all([1, 2, 3, 4].map(() => upload(wav, { deviceSerial, startDate })));
    expect(sent.map(({ response }) => response.status)).toEqual([204, 204, 204, 204]);
    expect(new Set(sent.map(({ response }) => clipIn(response))).size).toBe(1);
    expect(await client.listAudioClips({ body: { deviceID } })).toHaveLength(1);
  });

  test('give an announced clip its sound', async () => {
    const { deviceSerial } = await addDevice(client);
    const body = { startTime: Math.floor(startMs / 1000), startTimeMs: 250, audioClipParameters: '{"gain":3}' };
    const { key } = await client.announceAudioClip({ params: { audioClipID: deviceSerial }, body });
    const { response } = await upload(wav, { deviceSerial, startDate });
    expect(clipIn(response)).toBe(key);
    expect(await clipOf(key ?? 0)).toMatchObject({ audioClipStatus: 3, audioClipParameters: '{"gain":3}' });
  });
});

test('known recordings are found by their hashes, among the clips that the caller may read', async () => {
  const { deviceID, deviceSerial } = await addDevice(client);
  const [one, other] = [tinyWav(0.5, 1001), tinyWav(0.5, 1002)];
  const { response } = await upload(one, { deviceSerial, startDate });
  const hashes = [sha256(other), sha256(one).toUpperCase()];
  const audioClipID = clipIn(response);
  expect(await client.findKnownUploads({ body: { hashes } })).toEqual([
    { sHA256Hash: sha256(one), audioClipID, deviceID },
  ]);
  const stranger = await (await sharedTestServer()).addPerson();
  expect(await stranger.session.findKnownUploads({ body: { hashes } })).toEqual([]);
});
