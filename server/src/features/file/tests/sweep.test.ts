import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Storage } from '@earshot/server/platform/storage/storage';
import { openStorage } from '@earshot/server/platform/storage/storage';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { KeyedDevice } from '../../../../../tests/access/places.ts';
import { addCollection, addDevice, place, statusOf } from '../../../../../tests/access/places.ts';
import { sha256, tinyWav } from './sound.ts';
import { addFile, announce, putAndBreak, putWhole, stored } from './uploading.ts';

const sound = tinyWav();
const patience = { interval: 50 };

let folder: string;
let server: TestServer;
let storage: Storage;
let device: KeyedDevice;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-files-'));
  const settings = { url: pathToFileURL(folder).href, accessKey: '', secretKey: '' };
  server = await startTestServer({ storage: settings, fileSweepSeconds: 0.1 });
  // Two nodes sweep the same files.
  await server.addNode();
  storage = openStorage({ ...settings, dataDir: '' });
  device = await addDevice(server.admin);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const ofDevice = () => ({ deviceSerial: device.deviceSerial ?? '' });
const read = (fileID: number) => statusOf(server.admin.session.getFile({ params: { fileID } }));
const isStored = async (name: string) => (await stored(storage)).includes(name);
const untilGone = (fileID: number) => vi.waitUntil(async () => (await read(fileID)) === 404, patience);

async function nameOf(fileID: number): Promise<string> {
  const [row] = await server.db<{ name: string }[]>`select storage_name as name from files where key = ${fileID}`;
  return row?.name ?? '';
}

/** Makes a file older by this many days. */
async function age(fileID: number, days: number): Promise<void> {
  await server.db`
    update files set creation_date = creation_date - make_interval(secs => ${days * 86_400}),
      available_date = available_date - make_interval(secs => ${days * 86_400}),
      sweep_date = sweep_date - make_interval(secs => ${days * 86_400})
    where key = ${fileID}`;
}

/** The bytes of an upload are kept for as long as it may still be running. */
const hasten = () => server.db`update removed_files set due_date = now()`;

/** Waits until both nodes have swept. */
async function sweepTwice(): Promise<void> {
  const marker = await announce(server.admin, sound);
  await age(marker.key, 2);
  await untilGone(marker.key);
  const second = await announce(server.admin, sound);
  await age(second.key, 2);
  await untilGone(second.key);
}

async function addClip(): Promise<{ key: number; fileID: number }> {
  const startTime = Math.floor(Math.random() * 1_000_000_000);
  const { session } = server.admin;
  const { key = 0 } = await session.createAudioClip({ body: { deviceID: device.key, startTime } });
  const { fileID = 0 } = await session.putAudioClipContent({ params: { audioClipID: key }, body: sound });
  return { key, fileID };
}

describe('a file that waits for its bytes', () => {
  test('is removed after a day, with the received bytes', async () => {
    const waiting = await announce(server.admin, sound);
    await putAndBreak(waiting.url, sound, { cutAfter: 100 });
    const name = await nameOf(waiting.key);
    await vi.waitUntil(() => isStored(name), patience);
    await age(waiting.key, 2);
    await untilGone(waiting.key);
    expect((await putWhole(waiting.url, sound)).status).toBe(404);
    await hasten();
    await vi.waitUntil(async () => !(await isStored(name)), patience);
  });

  test('is kept before', async () => {
    const waiting = await announce(server.admin, sound);
    await age(waiting.key, 0.9);
    await sweepTwice();
    expect(await read(waiting.key)).toBe(200);
  });
});

describe('an available file of a device', () => {
  test('that nothing uses is removed after a week', async () => {
    const file = await addFile(server.admin, sound, ofDevice());
    const name = await nameOf(file.key);
    expect(await isStored(name)).toBe(true);
    await age(file.key, 6);
    await sweepTwice();
    expect(await read(file.key)).toBe(200);
    await age(file.key, 2);
    await untilGone(file.key);
    await vi.waitUntil(async () => !(await isStored(name)), patience);
  });

  test('that a clip or a collection uses is kept', async () => {
    const [byClip, byCollection] = [await addClip(), await addFile(server.admin, sound, ofDevice())];
    const uploaded = await addFile(server.admin, sound, ofDevice());
    const { key: clipID } = await addClip();
    const body = [{ fieldName: 'fileID', value: uploaded.key }];
    await server.admin.session.patchAudioClip({ params: { audioClipID: clipID }, body });
    const item = await place(server.admin, await addCollection(server.admin), 'file', byCollection.key);
    const all = [byClip.fileID, byCollection.key, uploaded.key];
    for (const key of all) await age(key, 30);
    await sweepTwice();
    expect(await Promise.all(all.map(read))).toEqual([200, 200, 200]);

    await server.admin.session.removeCollectionItem({ params: { collectionItemID: item.key ?? 0 } });
    await age(byCollection.key, 30);
    await untilGone(byCollection.key);
  });
});

describe('a temporary file', () => {
  const temporary = async (given: { deviceSerial?: string } = {}) => {
    const body = { ...given, filename: 'day.wav', fileSize: sound.length, sHA256Hash: sha256(sound) };
    const { key = 0, signedURL = '' } = await server.admin.session.createTemporaryFile({ body });
    expect((await putWhole(signedURL, sound)).status).toBe(200);
    await server.admin.session.finishFile({ params: { fileID: key } });
    return key;
  };

  test('is removed after a day, of a person and of a device', async () => {
    const keys = [await temporary(ofDevice()), await temporary()];
    for (const key of keys) await age(key, 0.9);
    await sweepTwice();
    expect(await Promise.all(keys.map(read))).toEqual([200, 200]);
    for (const key of keys) await age(key, 0.2);
    for (const key of keys) await untilGone(key);
  });

  test('that a clip or a collection uses is kept', async () => {
    const [byClip, byCollection] = [await temporary(), await temporary()];
    const { key: audioClipID } = await addClip();
    const body = [{ fieldName: 'fileID', value: byClip }];
    await server.admin.session.patchAudioClip({ params: { audioClipID }, body });
    await place(server.admin, await addCollection(server.admin), 'file', byCollection);
    for (const key of [byClip, byCollection]) await age(key, 2);
    await sweepTwice();
    expect([await read(byClip), await read(byCollection)]).toEqual([200, 200]);
    const due = await server.db`select 1 from files where sweep_date <= now()`;
    expect(due).toEqual([]);
  });
});

test('a file without a device is kept, used or not', async () => {
  const file = await addFile(server.admin, sound);
  await age(file.key, 400);
  await sweepTwice();
  expect(await read(file.key)).toBe(200);
});

test('removing a file, a clip with its waveform, or a device removes the bytes', async () => {
  const { session } = server.admin;
  const file = await addFile(server.admin, sound);
  const [first, second] = [await addClip(), await addClip()];
  await session.getWaveform({ params: { audioClipID: first.key } });
  await session.getWaveform({ params: { audioClipID: second.key } });
  const [fileName, firstName, secondName] = [
    await nameOf(file.key),
    await nameOf(first.fileID),
    await nameOf(second.fileID),
  ];
  const own = await addFile(server.admin, sound, ofDevice());
  const names = [fileName, firstName, `${firstName}-peaks`, secondName, `${secondName}-peaks`, await nameOf(own.key)];
  for (const name of names) expect(await isStored(name)).toBe(true);

  await session.deleteFile({ params: { fileID: file.key } });
  await session.deleteAudioClip({ params: { audioClipID: first.key } });
  await session.deleteDevice({ params: { deviceID: device.key } });
  expect([await read(file.key), await read(first.fileID), await read(second.fileID)]).toEqual([404, 404, 404]);
  await vi.waitUntil(async () => (await stored(storage)).every((name) => !names.includes(name)), patience);
  device = await addDevice(server.admin);
});
