import type { Client } from '@earshot/client/client';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sweepOldClips } from '../../audio-clip/retention/retention.ts';
import { removeCaptions } from '../../caption/former-queries.ts';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice } from '../../event/tests/fleet.ts';
import { sha256, tinyWav } from '../../file/tests/sound.ts';
import type { Tus } from './tus.ts';
import { clipIn, metadataOf, tusOf } from './tus.ts';

let server: TestServer;
let client: Client;
let tus: Tus;
let device: Device;
beforeAll(async () => {
  server = await startTestServer();
  const person = await server.addPerson();
  client = person.session;
  tus = tusOf(server.url, person);
});
afterAll(() => server.stop());
beforeEach(async () => {
  device = await addDevice(client);
});

const startMs = Date.parse('2026-11-15T01:10:00.000Z');
const dateAt = (ms: number): string => new Date(startMs + ms).toISOString();
/** What a muted input records. */
const silence = tinyWav(0.1, 0);
const [one, other] = [tinyWav(0.1, 700), tinyWav(0.1, 800)];

async function upload(
  bytes: Uint8Array<ArrayBuffer>,
  ms: number,
  more: Readonly<Record<string, string | number>> = {},
): Promise<number> {
  const path = await tus.create(bytes.length, { deviceSerial: device.deviceSerial, startDate: dateAt(ms), ...more });
  const response = await tus.patch(path, 0, bytes);
  expect(response.status, await response.text()).toBe(204);
  return clipIn(response);
}

const clipsOfDevice = async () =>
  (await client.listAudioClipPage({ body: { deviceIDList: [device.deviceID], order: 'asc', count: 1000 } })).results;
const recordingOf = (audioClipID: number) => client.getAudioClipRecording({ params: { audioClipID } });
const asked = (bytes: Uint8Array, ms: number) => ({
  deviceID: device.deviceID,
  startDate: dateAt(ms),
  sHA256Hash: sha256(bytes),
});

describe('equal bytes', () => {
  test('with other starts are other recordings, also within a second and at the same time', async () => {
    const starts = [0, 1, 2, 500, 1000, 1500, 60_000];
    const keys = await Promise.all(starts.map((ms) => upload(silence, ms)));
    expect(new Set(keys).size).toBe(starts.length);
    expect(await Promise.all(starts.map((ms) => upload(silence, ms)))).toEqual(keys);
    const clips = await clipsOfDevice();
    expect(clips.map(({ startTime = 0, startTimeMs = 0 }) => startTime * 1000 + startTimeMs - startMs)).toEqual(starts);
  });

  test('with the given start of a clip that the server moved are that clip', async () => {
    const first = await upload(one, 0);
    const moved = await upload(silence, 0);
    expect(await recordingOf(moved)).toMatchObject({ givenStartTime: startMs / 1000, givenStartTimeMs: 0 });
    expect((await client.getAudioClip({ params: { audioClipID: moved } })).startTimeMs).toBe(1);
    // Not the moved clip: this sender gave the start that the other one was moved to.
    const later = await upload(silence, 1);
    expect(new Set([first, moved, later]).size).toBe(3);
    await client.deleteAudioClip({ params: { audioClipID: first } });
    expect(await upload(silence, 0)).toBe(moved);
    expect(await upload(silence, 1)).toBe(later);
  });

  test('with the given start of a clip that a person moved are that clip', async () => {
    const audioClipID = await upload(silence, 0);
    await client.updateAudioClip({ params: { audioClipID }, body: { startTime: startMs / 1000 + 3600 } });
    expect(await upload(silence, 0)).toBe(audioClipID);
    expect(await upload(silence, 3_600_000)).not.toBe(audioClipID);
  });

  test('that a person has replaced do not come back, also after the former sound is deleted for good', async () => {
    const audioClipID = await upload(one, 0);
    const params = { audioClipID };
    await client.putAudioClipContent({ params, body: silence });
    const prove = async () =>
      (
        await client.proveUploads({
          body: { nonce: 'n'.repeat(32), recordings: [{ audioClipID, sHA256Hash: sha256(one) }] },
        })
      ).proofs[0]?.isStored;
    const expectNothingBack = async () => {
      expect(await upload(one, 0)).toBe(audioClipID);
      expect(await recordingOf(audioClipID)).toMatchObject({ sHA256Hash: sha256(silence) });
      expect(await clipsOfDevice()).toHaveLength(1);
      expect(await client.findKnownUploads({ body: { recordings: [asked(one, 0)] } })).toMatchObject([
        { audioClipID, isStored: true },
      ]);
      expect(await prove()).toBe(true);
    };
    await expectNothingBack();
    const [version] = await client.listAudioClipVersions({ params });
    await client.deleteAudioClipVersion({ params: { audioClipID, audioClipVersionID: version?.key ?? 0 } });
    await expectNothingBack();
  });

  test('of another device are another recording', async () => {
    const first = await upload(silence, 0);
    device = await addDevice(client);
    expect(await client.findKnownUploads({ body: { recordings: [asked(silence, 0)] } })).toEqual([]);
    expect(await upload(silence, 0)).not.toBe(first);
  });

  test('sent many times at once become one clip, also beside another recording of the same start', async () => {
    const keys = await Promise.all(
      Array.from({ length: 16 }, (_, index) => upload(index % 2 === 0 ? silence : one, 0)),
    );
    expect(new Set(keys).size).toBe(2);
    expect(await clipsOfDevice()).toHaveLength(2);
  });

  test('sent to an announced clip and by tus are one recording', async () => {
    const announced = await client.announceAudioClip({
      params: { audioClipID: device.deviceSerial },
      body: { startTime: startMs / 1000, localFilePath: '/recordings/night/dawn.wav' },
    });
    const audioClipID = announced.key ?? 0;
    await client.putAudioClipContent({ params: { audioClipID }, body: silence });
    expect(await upload(silence, 0)).toBe(audioClipID);
    expect(await recordingOf(audioClipID)).toEqual({
      audioClipID,
      title: 'dawn',
      filename: 'dawn.wav',
      sHA256Hash: sha256(silence),
      givenStartTime: startMs / 1000,
      givenStartTimeMs: 0,
    });
  });
});

describe('clips that got their sound before given starts were kept', () => {
  /** As a node of the version before leaves them. */
  const forget = async () => server.db`delete from clip_recordings where device_id = ${device.deviceID}`;

  test('are the recordings of their start, and of the start that they were moved from', async () => {
    const [first, second, third] = [await upload(one, 0), await upload(other, 0), await upload(silence, 0)];
    await forget();
    expect(await upload(other, 0)).toBe(second);
    expect(await upload(silence, 0)).toBe(third);
    expect(await client.findKnownUploads({ body: { recordings: [asked(one, 0)] } })).toEqual([
      { recordingIndex: 0, ...withoutStart(asked(one, 0)), audioClipID: first, isStored: true },
    ]);
    // A millisecond is free between this start and the clips, so none of them was moved from here.
    expect(await upload(silence, -2)).not.toBe(third);
    expect(await recordingOf(first)).toEqual({ audioClipID: first, sHA256Hash: sha256(one) });
  });
});

const withoutStart = ({ deviceID, sHA256Hash }: ReturnType<typeof asked>) => ({ deviceID, sHA256Hash });

describe('known recordings', () => {
  test('are found by device, given start and bytes', async () => {
    await upload(one, 0);
    const moved = await upload(silence, 0);
    const plain = await upload(silence, 5);
    const { deviceSerial } = device;
    const recordings = [
      asked(other, 0),
      { deviceSerial, startDate: dateAt(0), sHA256Hash: sha256(silence).toUpperCase() },
      asked(silence, 1),
      asked(silence, 5),
      { ...asked(silence, 5), deviceID: 987_654_321 },
    ];
    const known = { sHA256Hash: sha256(silence), deviceID: device.deviceID, isStored: true };
    const expected = [
      { ...known, recordingIndex: 1, audioClipID: moved },
      { ...known, recordingIndex: 3, audioClipID: plain },
    ];
    expect(await client.findKnownUploads({ body: { recordings } })).toEqual(expected);
    const stranger = await server.addPerson();
    expect(await stranger.session.findKnownUploads({ body: { recordings } })).toEqual([]);
  });

  test('need a device, a start and either recordings or hashes', async () => {
    const refused = async (body: object) =>
      expect(client.findKnownUploads({ body })).rejects.toMatchObject({ status: 400 });
    const { deviceID: _device, ...nameless } = asked(one, 0);
    const { startDate: _start, ...startless } = asked(one, 0);
    await refused({});
    await refused({ recordings: [] });
    await refused({ recordings: [nameless] });
    await refused({ recordings: [startless] });
    await refused({ recordings: [asked(one, 0)], hashes: [] });
    await refused({ recordings: Array.from({ length: 1001 }, () => asked(one, 0)) });
    const person = await server.addPerson();
    const own = await addDevice(person.session);
    const key = await person.withKey({ deviceID: own.deviceID });
    expect(await key.client.findKnownUploads({ body: { recordings: [nameless] } })).toEqual([]);
  });

  test('whose sound was removed by age are told apart, and get their sound again', async () => {
    const audioClipID = await upload(silence, 0, { filename: 'night.wav' });
    const { deviceID } = device;
    await server.db`
      update audio_clips set start_ms = 1000, end_ms = 2000 where key = ${audioClipID}`;
    await server.db`
      update devices set retention_days = extract(days from now() - to_timestamp(0))::int - 5 where key = ${deviceID}`;
    await sweepOldClips({ db: server.db, versionDays: 30, removeCaptions });
    expect(await client.getAudioClip({ params: { audioClipID } })).toMatchObject({ audioClipStatus: 5 });
    expect(await recordingOf(audioClipID)).toMatchObject({ sHA256Hash: sha256(silence), title: 'night' });
    const question = { body: { recordings: [asked(silence, 0)] } };
    expect(await client.findKnownUploads(question)).toMatchObject([{ audioClipID, isStored: false }]);
    expect(await upload(silence, 0)).toBe(audioClipID);
    expect(await client.findKnownUploads(question)).toMatchObject([{ audioClipID, isStored: true }]);
  });

  test('of a device that was merged into another are those of the other', async () => {
    const audioClipID = await upload(silence, 0);
    const into = await addDevice(client);
    await client.mergeDevice({ params: { deviceID: device.deviceID }, body: { intoDeviceID: into.deviceID } });
    device = into;
    expect(await client.findKnownUploads({ body: { recordings: [asked(silence, 0)] } })).toMatchObject([
      { audioClipID, deviceID: into.deviceID },
    ]);
  });
});

describe('a recording that grew', () => {
  test('names the clip that it continues, and is a clip of its own', async () => {
    const first = await upload(one, 0, { filename: 'night.wav' });
    const grown = await upload(other, 0, { filename: 'night.wav', grownFrom: first });
    expect(grown).not.toBe(first);
    expect(await recordingOf(grown)).toMatchObject({ grownFromID: first, givenStartTime: startMs / 1000 });
    expect(await recordingOf(first)).not.toHaveProperty('grownFromID');
    await client.deleteAudioClip({ params: { audioClipID: first } });
    expect(await recordingOf(grown)).not.toHaveProperty('grownFromID');
  });

  test('is taken although the clip that it continues was removed meanwhile', async () => {
    const first = await upload(one, 0);
    await client.deleteAudioClip({ params: { audioClipID: first } });
    const grown = await upload(other, 0, { grownFrom: first });
    expect(await recordingOf(grown)).not.toHaveProperty('grownFromID');
  });

  test.each([['not a key'], ['0'], ['-1'], ['99999999999999999999']])('is refused with grownFrom %s', async (value) => {
    await expectRefused(value);
  });

  test('is refused with a clip of another device', async () => {
    const foreign = await upload(one, 0);
    device = await addDevice(client);
    await expectRefused(foreign);
  });

  async function expectRefused(grownFrom: string | number): Promise<void> {
    const metadata = metadataOf({ deviceSerial: device.deviceSerial, startDate: dateAt(0), grownFrom });
    const headers = { 'upload-length': String(one.length), 'upload-metadata': metadata };
    const response = await tus.send('POST', '/v1/upload', headers);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('upload-metadata.grownFrom');
  }
});
