import type { Client } from '@earshot/client/client';
import type { Person } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { statusOf } from '../../../../../tests/access/places.ts';
import { removeCaptions } from '../../caption/former-queries.ts';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice, refusedWith } from '../../event/tests/fleet.ts';
import { sha256, tinyWav } from '../../file/tests/sound.ts';
import { sweepOldClips } from '../retention/retention.ts';
import type { KeyedClip } from './recordings.ts';
import { addFile, announce, readClip } from './recordings.ts';

let server: TestServer;
let person: Person;
let owner: Client;
let device: Device;
let clip: KeyedClip;

const [first, second] = [tinyWav(1), tinyWav(2)];
const startTime = 1_794_700_000;

beforeAll(async () => {
  server = await startTestServer({ fileSweepSeconds: 0.1 });
  person = await server.addPerson();
  owner = person.session;
});
afterAll(() => server.stop());
beforeEach(async () => {
  device = await addDevice(owner, { autoCaption: false });
  clip = await announce(owner, device, { startTime });
  await put(first);
});

const params = () => ({ audioClipID: clip.key });
const put = (body: Uint8Array<ArrayBuffer>) => owner.putAudioClipContent({ params: params(), body });
const versions = (client = owner) => client.listAudioClipVersions({ params: params() });
const ofNewest = async () => ({ ...params(), audioClipVersionID: (await versions())[0]?.key ?? 0 });
const setFile = (value: number | null) =>
  owner.patchAudioClip({ params: params(), body: [{ fieldName: 'fileID', value }] });
const fileOf = async (seconds: number) => (await addFile(owner, { device, seconds })).key;
const sweep = (versionDays = 30) => sweepOldClips({ db: server.db, versionDays, removeCaptions });
const fileStatus = (fileID = 0, client = owner) => statusOf(client.getFile({ params: { fileID } }));

/** What the audit trail tells of the clip: actions with the hashes before and after, oldest first. */
async function trail(): Promise<unknown[]> {
  const isOfSound = /^(sound-(replaced|detached)|clip-redated|version-removed)$/;
  const { results } = await owner.listAuditEntries({ body: { deviceID: device.deviceID, order: 'asc' } });
  return results
    .filter(({ action, recordID }) => isOfSound.test(action ?? '') && recordID === clip.key)
    .map(({ action, sHA256Before, sHA256After }) => [action, sHA256Before, sHA256After]);
}

/** A member of a collection that holds the device. */
async function addMember(memberAccess: 'read' | 'write'): Promise<Client> {
  const member = await server.addPerson();
  const { key = 0 } = await owner.createCollection({ body: { collectionName: 'Quay', memberAccess } });
  for (const [itemType, itemID] of [
    ['device', device.deviceID],
    ['user', member.userID],
  ] as const) {
    await owner.addCollectionItem({ params: { collectionItemID: key }, body: { itemType, itemID } });
  }
  return member.session;
}

test('sound that is replaced by its content, by a file and by none stays as versions, with entries of the trail', async () => {
  await put(second);
  await setFile(await fileOf(3));
  await setFile(null);
  expect(await versions()).toEqual(
    [tinyWav(3), second, first].map((sound, index) => ({
      key: expect.any(Number),
      audioClipID: clip.key,
      sHA256Hash: sha256(sound),
      fileSize: sound.length,
      contentType: 'audio/wav',
      // A file is analysed only if its clip lacks a length or a bitrate.
      ...(index === 0 ? {} : { durationMs: (3 - index) * 1000 }),
      startTime,
      startTimeMs: 0,
      endTime: startTime + 1,
      endTimeMs: 0,
      formerDate: expect.any(String),
      replacedBy: person.userID,
    })),
  );
  expect(await trail()).toEqual([
    ['sound-replaced', sha256(first), sha256(second)],
    ['sound-replaced', sha256(second), sha256(tinyWav(3))],
    ['sound-detached', sha256(tinyWav(3)), undefined],
  ]);
});

test('the first sound, the same bytes and another file of the same bytes make no version and no entry', async () => {
  await put(first);
  await setFile(await fileOf(1));
  expect([await versions(), await trail()]).toEqual([[], []]);
});

test('new times are told with the hash of the sound, and an end that nobody knew is not', async () => {
  const change = (body: object) => owner.updateAudioClip({ params: params(), body });
  await change({ startTime: startTime + 60 });
  await change({ clipLengthInSeconds: 5 });
  await change({ localFilePath: '/a.wav' });
  const hash = sha256(first);
  expect(await trail()).toEqual([
    ['clip-redated', hash, hash],
    ['clip-redated', hash, hash],
  ]);
  clip = await announce(owner, device, { startTime: startTime + 500 });
  await change({ clipLengthInSeconds: 5 });
  expect(await trail()).toEqual([]);
});

test('other sound for an expired clip is told, and there is no version without bytes', async () => {
  await server.db`update audio_clips set audio_clip_status = 5, file_id = null where key = ${clip.key}`;
  await put(second);
  expect(await versions()).toEqual([]);
  expect(await trail()).toEqual([['sound-replaced', sha256(first), sha256(second)]]);
});

test('a version is listed, read and deleted by the owner and admins alone', async () => {
  const { fileID } = await readClip(owner, clip);
  await put(second);
  const version = { params: await ofNewest() };
  const recorder = (await person.withKey({ deviceID: device.deviceID })).client;
  for (const other of [await addMember('read'), await addMember('write'), recorder]) {
    await expect(versions(other)).rejects.toEqual(refusedWith(403));
    await expect(other.getAudioClipVersionContent(version)).rejects.toEqual(refusedWith(403));
    await expect(other.deleteAudioClipVersion(version)).rejects.toEqual(refusedWith(403));
    // Nor by the key of its file, which they may have known.
    expect(await fileStatus(fileID, other)).toBe(404);
    await expect(other.getFileContent({ params: { fileID: fileID ?? 0 } })).rejects.toEqual(refusedWith(404));
  }
  const byKey = (await person.withKey()).client;
  for (const reader of [owner, byKey, server.admin.session]) {
    expect(await versions(reader)).toHaveLength(1);
    const bytes = await (await reader.getAudioClipVersionContent(version)).arrayBuffer();
    expect(Buffer.from(bytes).equals(first)).toBe(true);
  }
  const { results } = await owner.listAuditEntries({ body: { deviceID: device.deviceID, action: 'sound-played' } });
  expect(results.map(({ recordID }) => recordID)).toContain(clip.key);
});

test('a version that is deleted is gone with its file, and told with its hash', async () => {
  const { fileID } = await readClip(owner, clip);
  await put(second);
  const version = { params: await ofNewest() };
  await owner.lockAudioClip({ params: params() });
  await expect(owner.deleteAudioClipVersion(version)).rejects.toEqual(refusedWith(409, /Unlock it first/));
  const erasing = owner.deleteFile({ params: { fileID: fileID ?? 0 } });
  await expect(erasing).rejects.toEqual(refusedWith(409, /Unlock it first/));
  expect(await versions()).toHaveLength(1);
  await owner.unlockAudioClip({ params: params() });
  await owner.deleteAudioClipVersion(version);
  expect([await versions(), await fileStatus(fileID)]).toEqual([[], 404]);
  expect((await trail()).at(-1)).toEqual(['version-removed', sha256(first), undefined]);
  await expect(owner.deleteAudioClipVersion(version)).rejects.toEqual(refusedWith(404));
  const other = await announce(owner, device, { startTime: startTime + 9 });
  await put(first);
  const { audioClipVersionID } = await ofNewest();
  const ofOther = { audioClipID: other.key, audioClipVersionID };
  await expect(owner.getAudioClipVersionContent({ params: ofOther })).rejects.toEqual(refusedWith(404));
});

test('deleting the file of a version deletes the version', async () => {
  const { fileID = 0 } = await readClip(owner, clip);
  await owner.correctCaption({ params: { captionID: clip.key }, body: { transcript: 'my name is Miller' } });
  await setFile(null);
  await owner.deleteFile({ params: { fileID } });
  expect([await versions(), await fileStatus(fileID)]).toEqual([[], 404]);
  expect((await trail()).at(-1)).toEqual(['version-removed', sha256(first), undefined]);
  expect(await server.db`select 1 from caption_versions where audio_clip_id = ${clip.key}`).toEqual([]);
});

test('former sound that the owner gives back is the sound of the clip again, and readers see its file', async () => {
  const { fileID = 0 } = await readClip(owner, clip);
  const reader = await addMember('read');
  await put(second);
  await setFile(fileID);
  expect(await readClip(owner, clip)).toMatchObject({ fileID, audioClipStatus: 3 });
  expect(await fileStatus(fileID, reader)).toBe(200);
  // The bytes of the first version are in use: only its record is deleted.
  const oldest = (await versions()).at(-1)?.key ?? 0;
  await owner.deleteAudioClipVersion({ params: { ...params(), audioClipVersionID: oldest } });
  expect(await fileStatus(fileID, reader)).toBe(200);
});

describe('a version goes', () => {
  let fileID: number | undefined;
  beforeEach(async () => {
    fileID = (await readClip(owner, clip)).fileID;
    await put(second);
  });
  const age = (days: number) => server.db`
    update clip_versions set former_date = now() - make_interval(days => ${days}) where audio_clip_id = ${clip.key}`;
  const remain = async () => [(await versions()).length, await fileStatus(fileID)];

  test('with its clip', async () => {
    await owner.deleteAudioClip({ params: params() });
    expect(await fileStatus(fileID)).toBe(404);
  });

  test('with its device, and follows its clip to another', async () => {
    const into = await addDevice(owner);
    await owner.mergeDevice({ params: { deviceID: device.deviceID }, body: { intoDeviceID: into.deviceID } });
    expect(await remain()).toEqual([1, 200]);
    await owner.deleteDevice({ params: { deviceID: into.deviceID } });
    expect(await fileStatus(fileID)).toBe(404);
  });

  test('after the days of the setting where the device has no retention, unless the clip is locked', async () => {
    await age(29);
    await sweep();
    expect(await remain()).toEqual([1, 200]);
    // Locked first: the node sweeps too.
    await owner.lockAudioClip({ params: params() });
    await age(30);
    await sweep();
    expect(await remain()).toEqual([1, 200]);
    await owner.unlockAudioClip({ params: params() });
    await sweep();
    await vi.waitFor(async () => expect(await remain()).toEqual([0, 404]));
    expect(await readClip(owner, clip)).toMatchObject({ audioClipStatus: 3 });
  });

  test('with the sound of its clip where the device has retention, also if the clip has no sound', async () => {
    const { deviceID } = device;
    const begin = (daysAgo: number) => {
      const body = { startTime: Math.floor(Date.now() / 1000) - daysAgo * 86_400 };
      return owner.updateAudioClip({ params: params(), body });
    };
    const preview = (retentionDays: number) =>
      owner.previewRetention({ params: { deviceID }, query: { retentionDays } });
    await setFile(null);
    await begin(5);
    await owner.updateDevice({ params: { deviceID }, body: { retentionDays: 10 } });
    await age(40);
    await sweep();
    expect(await remain()).toEqual([2, 200]);
    expect(await preview(6)).toMatchObject({ expiringFileCount: 0, expiringBytes: 0 });
    expect(await preview(4)).toMatchObject({ expiringFileCount: 2, expiringBytes: first.length + second.length });
    await begin(11);
    await sweep();
    await vi.waitFor(async () => expect(await remain()).toEqual([0, 404]));
  });

  test('not with the sweep of unused files', async () => {
    await server.db`update files set sweep_date = now() where key = ${fileID ?? 0}`;
    await vi.waitFor(async () =>
      expect(await server.db`select 1 from files where key = ${fileID ?? 0} and sweep_date > now()`).toHaveLength(1),
    );
    expect(await remain()).toEqual([1, 200]);
  });
});

describe('captions', () => {
  const captionID = () => ({ params: { captionID: clip.key } });
  beforeEach(async () => {
    await owner.correctCaption({ ...captionID(), body: { transcript: 'the name is Miller' } });
    await owner.correctCaption({ ...captionID(), body: { transcript: 'my name is Miller' } });
  });
  const search = async () => (await owner.searchCaptions({ body: { searchText: 'Miller' } })).results.length;

  test.each([
    ['replaced', () => put(second)],
    ['detached', () => setFile(null)],
  ])('belong to the version whose sound was %s: they are neither shown nor found any more', async (_title, replace) => {
    expect(await search()).toBe(1);
    await replace();
    await expect(owner.getCaption(captionID())).rejects.toEqual(refusedWith(404));
    expect(await search()).toBe(0);
    expect(await versions()).toMatchObject([{ transcript: 'my name is Miller' }]);
    await owner.correctCaption({ ...captionID(), body: { transcript: 'no name' } });
    expect((await owner.listCaptionVersions(captionID())).map(({ transcript }) => transcript)).toEqual(['no name']);
    const restoring = owner.restoreCaption({ ...captionID(), body: { version: 1 } });
    await expect(restoring).rejects.toEqual(refusedWith(404));
    await owner.deleteAudioClipVersion({ params: await ofNewest() });
    const left = await server.db`select transcript from caption_versions where audio_clip_id = ${clip.key}`;
    expect(left).toEqual([{ transcript: 'no name' }]);
  });

  test('stay with the same bytes', async () => {
    await put(first);
    expect(await search()).toBe(1);
  });
});
