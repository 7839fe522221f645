import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mostOpenUploads } from '@earshot/contract/upload';
import type { Storage } from '@earshot/server/platform/storage/storage';
import { openStorage } from '@earshot/server/platform/storage/storage';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addDevice } from '../../event/tests/fleet.ts';
import { tinyWav } from '../../file/tests/sound.ts';
import { stored } from '../../file/tests/uploading.ts';
import type { Tus } from './tus.ts';
import { clipIn, offsetIn, tusOf } from './tus.ts';

/* Two nodes on one database and one folder of files. */

const wav = tinyWav();
const patience = { interval: 50 };
let folder: string;
let server: TestServer;
let storage: Storage;
let one: Tus;
let other: Tus;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-uploads-'));
  const settings = { url: pathToFileURL(folder).href, accessKey: '', secretKey: '' };
  server = await startTestServer({ storage: settings, fileSweepSeconds: 0.1 });
  storage = openStorage({ ...settings, dataDir: '' });
  one = tusOf(server.url, server.admin);
  other = tusOf((await server.addNode()).url, server.admin);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const startDate = '2026-11-15T01:10:00Z';
const addOwnDevice = () => addDevice(server.admin.session);
const keyOf = (path: string) => Number(path.split('/').at(-1));

async function nameOf(path: string): Promise<string> {
  const [row] = await server.db<{ name: string }[]>`
    select f.storage_name as name from uploads u join files f on f.key = u.file_id where u.key = ${keyOf(path)}`;
  return row?.name ?? '';
}

/** Makes an upload older by this many days. */
async function age(path: string, days: number): Promise<void> {
  await server.db`
    update files f set creation_date = f.creation_date - make_interval(days => ${days})
    from uploads u where u.key = ${keyOf(path)} and f.key = u.file_id`;
  await server.db`
    update uploads set creation_date = creation_date - make_interval(days => ${days}) where key = ${keyOf(path)}`;
}

async function* inOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

test('an upload is continued on another node', async () => {
  const { deviceID } = await addOwnDevice();
  const path = await one.create(wav.length, { deviceID, startDate });
  expect(offsetIn(await one.patch(path, 0, wav.slice(0, 3000)))).toBe(3000);
  expect(offsetIn(await other.head(path))).toBe(3000);
  const last = await other.patch(path, 3000, wav.slice(3000));
  expect([last.status, clipIn(last) > 0]).toEqual([204, true]);
  expect(clipIn(await one.head(path))).toBe(clipIn(last));
});

test('an upload whose node died before it stored the clip is finished by HEAD, once', async () => {
  const { deviceID } = await addOwnDevice();
  const path = await one.create(wav.length, { deviceID, startDate });
  await storage.append(await nameOf(path), { offset: 0, size: wav.length, source: inOne(wav) });
  const asked = await Promise.all([one.head(path), other.head(path), one.head(path), other.head(path)]);
  expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(asked.map(clipIn)).size).toBe(1);
  const clips = await server.admin.session.listAudioClips({ body: { deviceID } });
  expect(clips.map(({ key, audioClipStatus }) => [key, audioClipStatus])).toEqual([[clipIn(asked[0]), 3]]);
});

test('an upload that is not finished within a day has expired, and its bytes are removed', async () => {
  const { deviceID } = await addOwnDevice();
  const path = await one.create(wav.length, { deviceID, startDate });
  await one.patch(path, 0, wav.slice(0, 3000));
  const name = await nameOf(path);
  await age(path, 1);
  const late = await one.patch(path, 3000, wav.slice(3000));
  expect([late.status, (await other.head(path)).status]).toEqual([410, 410]);
  await vi.waitUntil(async () => (await nameOf(path)) === '', patience);
  expect((await one.head(path)).status).toBe(410);
  await server.db`update removed_files set due_date = now()`;
  await vi.waitUntil(async () => !(await stored(storage)).includes(name), patience);
  await age(path, 1);
  await vi.waitUntil(async () => (await one.head(path)).status === 404, patience);
});

test('a finished upload is forgotten after two days, and its clip stays', async () => {
  const { deviceID } = await addOwnDevice();
  const path = await one.create(wav.length, { deviceID, startDate });
  const audioClipID = clipIn(await one.patch(path, 0, wav));
  await age(path, 1);
  expect(clipIn(await one.head(path))).toBe(audioClipID);
  await age(path, 1);
  await vi.waitUntil(async () => (await one.head(path)).status === 404, patience);
  expect(await server.admin.session.getAudioClip({ params: { audioClipID } })).toMatchObject({ audioClipStatus: 3 });
});

test('an upload goes with its device: merged into another, or removed', async () => {
  const [device, into] = [await addOwnDevice(), await addOwnDevice()];
  const { session } = server.admin;
  const path = await one.create(wav.length, { deviceID: device.deviceID, startDate });
  await one.patch(path, 0, wav.slice(0, 3000));
  await session.mergeDevice({ params: { deviceID: device.deviceID }, body: { intoDeviceID: into.deviceID } });
  const last = await one.patch(path, 3000, wav.slice(3000));
  const clip = await session.getAudioClip({ params: { audioClipID: clipIn(last) } });
  expect(clip).toMatchObject({ deviceID: into.deviceID });

  const open = await one.create(wav.length, { deviceID: into.deviceID, startDate });
  await session.deleteDevice({ params: { deviceID: into.deviceID } });
  expect((await one.head(open)).status).toBe(404);
});

test('a person has a limited number of open uploads', async () => {
  const person = await server.addPerson();
  const tus = tusOf(server.url, person);
  const { deviceID } = await addDevice(person.session);
  await server.db`
    insert into uploads (user_id, device_id, upload_size, metadata)
    select ${person.userID}::bigint, ${deviceID}::bigint, 1, '' from generate_series(1, ${mostOpenUploads})`;
  await expect(tus.create(wav.length, { deviceID })).rejects.toThrow(/^429: .*at most 10000 unfinished uploads/);
  await server.db`update uploads set audio_clip_id = 1 where user_id = ${person.userID}`;
  expect((await tus.patch(await tus.create(wav.length, { deviceID }), 0, wav)).status).toBe(204);
});
