import type { Client } from '@earshot/client/client';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice, refusedWith } from '../../event/tests/fleet.ts';
import type { KeyedClip } from './recordings.ts';
import { addFile, announce, announceAll, readClip } from './recordings.ts';

let server: TestServer;
let client: Client;
let device: Device;
beforeAll(async () => {
  // Two nodes sweep at the same time.
  server = await startTestServer({ fileSweepSeconds: 0.1 });
  await server.addNode();
  client = (await server.admin.withKey()).client;
});
afterAll(() => server.stop());
beforeEach(async () => {
  device = await addDevice(client);
});

const days = 10;
const now = Math.floor(Date.now() / 1000);
const daysAgo = (count: number) => now - count * 86_400;
const clipID = ({ key }: KeyedClip) => ({ audioClipID: key });

/** A clip that ended this many days ago, with a file of its own unless one is given. */
async function addOld(count: number, more: { fileID?: number | null } = {}): Promise<KeyedClip> {
  const fileID = more.fileID === undefined ? (await addFile(client, { device })).key : more.fileID;
  const sound = fileID === null ? {} : { fileID, audioClipStatus: 3 };
  return announce(client, device, { startTime: Math.round(daysAgo(count)) - 60, clipLengthInSeconds: 60, ...sound });
}

const preview = (query: { retentionDays?: number } = {}) =>
  client.previewRetention({ params: { deviceID: device.deviceID }, query });
const begin = () => client.updateDevice({ params: { deviceID: device.deviceID }, body: { retentionDays: days } });
const swept = () =>
  vi.waitFor(async () => expect(await preview()).toMatchObject({ expiringFileCount: 0, removableClipCount: 0 }), {
    interval: 50,
  });
const fileIsThere = async (fileID = 0) => (await server.db`select 1 from files where key = ${fileID}`).length === 1;

test('files are removed after the retention days of their device, clips after twice as many, as the dry run announces', async () => {
  const recent = await addOld(days - 1);
  const old = await addOld(days + 1);
  const older = await addOld(days + 2);
  const oldest = await addOld(2 * days + 1);
  const never = await addOld(days + 3, { fileID: null });
  const neverOld = await addOld(2 * days + 2, { fileID: null });
  const kept = [recent, old, older, oldest, never, neverOld];
  expect(await preview()).toEqual({
    deviceID: device.deviceID,
    expiringFileCount: 0,
    expiringBytes: 0,
    removableClipCount: 0,
    lockedClipCount: 0,
  });
  const expected = {
    deviceID: device.deviceID,
    retentionDays: days,
    expiringFileCount: 3,
    expiringBytes: [old, older, oldest].reduce((sum, { fileSize = 0 }) => sum + fileSize, 0),
    removableClipCount: 2,
    lockedClipCount: 0,
    oldestExpiringTime: oldest.startTime,
  };
  expect(await preview({ retentionDays: days })).toEqual(expected);
  // The dry run changes nothing.
  for (const clip of kept) expect(await readClip(client, clip)).toEqual(clip);

  await begin();
  await swept();
  expect(await readClip(client, recent)).toEqual(recent);
  expect(await readClip(client, never)).toEqual(never);
  for (const clip of [old, older]) {
    const { fileID, ...rest } = clip;
    expect(await readClip(client, clip)).toEqual({ ...rest, audioClipStatus: 5, lastModifiedDate: expect.any(String) });
    expect(await fileIsThere(fileID)).toBe(false);
  }
  for (const clip of [oldest, neverOld]) await expect(readClip(client, clip)).rejects.toEqual(refusedWith(404));
  expect([await fileIsThere(oldest.fileID), await fileIsThere(recent.fileID)]).toEqual([false, true]);
});

test('the age of a clip counts from its end, or from its start without an end', async () => {
  const running = await announce(client, device, {
    startTime: Math.round(daysAgo(days + 0.5)),
    clipLengthInSeconds: 86_400,
    fileID: (await addFile(client, { device })).key,
    audioClipStatus: 3,
  });
  const gone = await addOld(2 * days + 1, { fileID: null });
  const open = await announce(client, device, { startTime: Math.round(daysAgo(2 * days + 1)) });
  await begin();
  await swept();
  expect(await readClip(client, running)).toEqual(running);
  for (const clip of [gone, open]) await expect(readClip(client, clip)).rejects.toEqual(refusedWith(404));
});

test('a file that another clip or a collection uses is kept', async () => {
  const [shared, collected] = [await addFile(client, { device }), await addFile(client, { device })];
  const old = await addOld(days + 1, { fileID: shared.key });
  const recent = await addOld(1, { fileID: shared.key });
  const held = await addOld(days + 1.5, { fileID: collected.key });
  const { key = 0 } = await client.createCollection({ body: { collectionName: 'Dawn' } });
  const body = { itemType: 'file', itemID: collected.key } as const;
  await client.addCollectionItem({ params: { collectionItemID: key }, body });
  expect(await preview({ retentionDays: days })).toMatchObject({ expiringFileCount: 0, expiringBytes: 0 });
  await begin();
  for (const clip of [old, held]) {
    // Either node may remove either one.
    await vi.waitFor(async () => expect((await readClip(client, clip)).audioClipStatus).toBe(5));
  }
  expect(await readClip(client, recent)).toEqual(recent);
  expect([await fileIsThere(shared.key), await fileIsThere(collected.key)]).toEqual([true, true]);
});

describe('a lock', () => {
  test('keeps file and clip of any age until it is removed', async () => {
    const [file, clip] = [await addOld(days + 1), await addOld(2 * days + 1)];
    for (const each of [file, clip]) {
      expect(await client.lockAudioClip({ params: clipID(each) })).toEqual({
        audioClipID: each.key,
        locked: true,
        lockedBy: server.admin.userID,
        lockDate: expect.any(String),
      });
    }
    expect(await preview({ retentionDays: days })).toMatchObject({
      expiringFileCount: 0,
      removableClipCount: 0,
      lockedClipCount: 2,
    });
    const witness = await addOld(2 * days + 3);
    await begin();
    await vi.waitFor(() => expect(readClip(client, witness)).rejects.toEqual(refusedWith(404)));
    expect([await readClip(client, file), await readClip(client, clip)]).toEqual([file, clip]);
    for (const each of [file, clip]) await client.unlockAudioClip({ params: clipID(each) });
    await swept();
    expect(await readClip(client, file)).toMatchObject({ audioClipStatus: 5 });
    await expect(readClip(client, clip)).rejects.toEqual(refusedWith(404));
  });

  test('belongs to the person who set it first, and can be read', async () => {
    const clip = await addOld(1, { fileID: null });
    const params = clipID(clip);
    expect(await client.getAudioClipLock({ params })).toEqual({ audioClipID: clip.key, locked: false });
    const lock = await client.lockAudioClip({ params });
    const other = await server.addPerson({ role: 'admin' });
    expect(await other.session.lockAudioClip({ params })).toEqual(lock);
    expect(await client.getAudioClipLock({ params })).toEqual(lock);
    expect(await client.unlockAudioClip({ params })).toEqual({ audioClipID: clip.key, locked: false });
    expect(await client.unlockAudioClip({ params })).toEqual({ audioClipID: clip.key, locked: false });
    // The clip does not show its lock.
    expect(await readClip(client, clip)).toEqual(clip);
    await client.lockAudioClip({ params });
    expect(await readClip(client, clip)).toEqual(clip);
  });
});

test('thousands are removed in batches by both nodes, each once', async () => {
  const clips = Array.from({ length: 1000 }, (_, index) => ({ startTime: Math.round(daysAgo(2 * days + 1)) + index }));
  for (const audioClipTypeID of [0, 1]) {
    await announceAll(
      client,
      device,
      clips.map((clip) => ({ ...clip, audioClipTypeID })),
    );
  }
  expect(await preview({ retentionDays: days })).toMatchObject({ removableClipCount: 2000 });
  await begin();
  await swept();
  const [logged] = await server.db`
    select count(*) as removals, count(distinct record_key) as clips from changes
    where kind = 'audioclip' and change = 'removed' and device_id = ${device.deviceID}`;
  expect(logged).toEqual({ removals: 2000, clips: 2000 });
});
