import type { Client } from '@earshot/client/client';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice } from '../../event/tests/fleet.ts';
import { sha256, tinyWav } from '../../file/tests/sound.ts';
import { openStream } from '../../live/tests/stream.ts';
import type { Tus } from '../../upload/tests/tus.ts';
import { clipIn, tusOf } from '../../upload/tests/tus.ts';
import { addFile, announce } from './recordings.ts';

let server: TestServer;
let client: Client;
let tus: Tus;
let device: Device;
beforeAll(async () => {
  server = await startTestServer();
  client = server.admin.session;
  tus = tusOf(server.url, server.admin);
});
afterAll(() => server.stop());
beforeEach(async () => {
  device = await addDevice(client);
});

const wav = tinyWav(0.1);
const startTime = 1_794_704_400;

async function upload(filename: string, seconds: number): Promise<number> {
  const startDate = new Date((startTime + seconds) * 1000).toISOString();
  const metadata = { deviceSerial: device.deviceSerial, startDate, ...(filename === '' ? {} : { filename }) };
  const path = await tus.create(wav.length, metadata);
  return clipIn(await tus.patch(path, 0, wav));
}

const recordingOf = (audioClipID: number) => client.getAudioClipRecording({ params: { audioClipID } });
const setTitle = (audioClipID: number, title: string | null) =>
  client.updateAudioClipRecording({ params: { audioClipID }, body: { title } });
const page = async (filter: { title?: string; count?: number; cursor?: string }) =>
  client.listAudioClipPage({ body: { deviceIDList: [device.deviceID], order: 'asc', ...filter } });
const keysOf = async (title: string) => (await page({ title })).results.map(({ key }) => key);

describe('the title of a clip', () => {
  test.each([
    ['dawn.FLAC', 'dawn'],
    ['20221205_191730.WAV', '20221205_191730'],
    ['Hof 2026.11.18', 'Hof 2026.11.18'],
    ['folder/ä b.wav', 'ä b'],
    ['.wav', undefined],
    ['', undefined],
  ])('is by default the name %j without its extension', async (filename, title) => {
    const { title: shown } = await recordingOf(await upload(filename, 0));
    expect(shown).toBe(title);
    expect((await page({})).results[0]?.title).toBe(title);
  });

  test('is changed, kept with new sound, and cleared back to the name', async () => {
    const key = await upload('dawn.wav', 0);
    expect(await setTitle(key, 'Nightjar at the pond')).toMatchObject({
      title: 'Nightjar at the pond',
      filename: 'dawn.wav',
      sHA256Hash: sha256(wav),
    });
    const params = { audioClipID: key };
    await client.putAudioClipContent({ params, body: tinyWav(0.1, 900) });
    expect(await recordingOf(key)).toMatchObject({
      title: 'Nightjar at the pond',
      sHA256Hash: sha256(tinyWav(0.1, 900)),
    });
    expect(await recordingOf(key)).not.toHaveProperty('filename');
    expect(await setTitle(key, null)).not.toHaveProperty('title');
  });

  test('may be given to a clip without sound, and to one of before', async () => {
    const { key } = await announce(client, device, { startTime });
    expect(await recordingOf(key)).toEqual({ audioClipID: key });
    expect(await setTitle(key, null)).toEqual({ audioClipID: key });
    expect(await setTitle(key, 'Expected at dawn')).toEqual({ audioClipID: key, title: 'Expected at dawn' });
    const old = await upload('old.wav', 60);
    await server.db`delete from clip_recordings where audio_clip_id = ${old}`;
    expect(await recordingOf(old)).toEqual({
      audioClipID: old,
      title: 'old',
      filename: 'old.wav',
      sHA256Hash: sha256(wav),
    });
    expect(await setTitle(old, 'New')).toMatchObject({ title: 'New', filename: 'old.wav' });
    expect(await setTitle(old, null)).toMatchObject({ title: 'old' });
  });

  test.each([[''], [' spaced '], ['x'.repeat(201)], [5], [undefined]])('is refused as %j', async (title) => {
    const key = await upload('dawn.wav', 0);
    await expect(setTitle(key, title as string)).rejects.toMatchObject({ status: 400 });
  });

  test('is the name of a download, with the extension of the sound', async () => {
    const nameOf = async (audioClipID: number) => {
      const content = await client.getAudioClipContent({ params: { audioClipID } });
      await content.arrayBuffer();
      return content.headers.get('content-disposition');
    };
    const key = await upload('dawn.wav', 0);
    expect(await nameOf(key)).toContain('filename="dawn.wav"');
    await setTitle(key, 'Uhu/Käuzchen');
    expect(await nameOf(key)).toBe(`inline; filename="Uhu_K_uzchen.wav"; filename*=UTF-8''Uhu_K%C3%A4uzchen.wav`);
    const nameless = await upload('', 60);
    await setTitle(nameless, 'Third night');
    expect(await nameOf(nameless)).toContain('filename="Third night.wav"');
  });

  test('that changes is a change of the clip, and one that does not is none', async () => {
    const key = await upload('dawn.wav', 0);
    const stream = await openStream(server.url, server.admin);
    const changes = async () =>
      (await stream.heard(async () => ({ key: (await addDevice(client)).deviceID })))
        .filter(({ event }) => event === 'audioclip')
        .map(({ change }) => `${change} ${key}`);
    await changes();
    await setTitle(key, 'Nightjar');
    await setTitle(key, 'Nightjar');
    await setTitle(key, null);
    expect(await changes()).toEqual([`changed ${key}`, `changed ${key}`]);
    stream.close();
  });
});

describe('the list of clips', () => {
  test('is filtered by a part of the title, in any case', async () => {
    const [dawn, dusk, owl] = [
      await upload('Dawn.wav', 0),
      await upload('dusk 100%.wav', 60),
      await upload('x.wav', 120),
    ];
    await setTitle(owl, 'ÜBER dem Dach');
    expect(await keysOf('DAWN')).toEqual([dawn]);
    expect(await keysOf('d')).toEqual([dawn, dusk, owl]);
    expect(await keysOf('über DEM')).toEqual([owl]);
    expect(await keysOf('100%')).toEqual([dusk]);
    expect(await keysOf('%')).toEqual([dusk]);
    expect(await keysOf('_')).toEqual([]);
    expect(await keysOf('wav')).toEqual([]);
    expect(await keysOf('x')).toEqual([]);
    expect(await keysOf('')).toEqual([dawn, dusk, owl]);
    await server.db`delete from clip_recordings where audio_clip_id = ${dawn}`;
    expect(await keysOf('dawn')).toEqual([dawn]);
  });

  test('goes on page by page behind clips with other titles', async () => {
    for (let index = 0; index < 6; index++) await upload(index % 2 === 0 ? 'owl.wav' : 'cat.wav', index * 60);
    const found: unknown[] = [];
    let cursor: string | undefined;
    do {
      const { results, next } = await page({ title: 'owl', count: 2, ...(cursor === undefined ? {} : { cursor }) });
      found.push(...results.map(({ title }) => title));
      cursor = next;
    } while (cursor !== undefined);
    expect(found).toEqual(['owl', 'owl', 'owl']);
  });
});

describe('the recording of a clip', () => {
  test('that got a file by its key has the name and the hash of the file', async () => {
    const { key } = await announce(client, device, { startTime, startTimeMs: 7 });
    const file = await addFile(client, { device });
    await client.updateAudioClip({ params: { audioClipID: key }, body: { fileID: file.key } });
    const given = { givenStartTime: startTime, givenStartTimeMs: 7 };
    expect(await recordingOf(key)).toMatchObject({ title: 'dawn', filename: 'dawn.wav', ...given });
    const other = await announce(client, device, { startTime: startTime + 60, fileID: file.key });
    expect(await recordingOf(other.key)).toMatchObject({ filename: 'dawn.wav', givenStartTime: startTime + 60 });
    const kept =
      await server.db`select 1 from clip_recordings where audio_clip_id = any(${[key, other.key]}::bigint[])`;
    expect(kept).toHaveLength(2);
  });

  test('tells what was wrong with the header of the sound, as it or its file was read', async () => {
    const key = await upload('dawn.wav', 0);
    expect(await recordingOf(key)).not.toHaveProperty('soundFault');
    await server.db`
      update files set sound_fault = 'The size is 0.'
      where key = (select file_id from audio_clips where key = ${key})`;
    expect(await recordingOf(key)).toMatchObject({ soundFault: 'The size is 0.' });
    await server.db`update clip_recordings set sound_fault = 'The size is wrong.' where audio_clip_id = ${key}`;
    expect(await recordingOf(key)).toMatchObject({ soundFault: 'The size is wrong.' });
  });

  test('goes with its clip', async () => {
    const key = await upload('dawn.wav', 0);
    await client.deleteAudioClip({ params: { audioClipID: key } });
    expect(await server.db`select 1 from clip_recordings where audio_clip_id = ${key}`).toHaveLength(0);
    await expect(recordingOf(key)).rejects.toMatchObject({ status: 404 });
    await expect(setTitle(key, 'gone')).rejects.toMatchObject({ status: 404 });
  });
});
