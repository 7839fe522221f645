import type { Client } from '@earshot/client/client';
import type { AudioClipUpdate } from '@earshot/contract/audio-clip';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice, refusedWith } from '../../event/tests/fleet.ts';
import { tinyWav } from '../../file/tests/sound.ts';
import { removeCaptions } from '../../caption/former-queries.ts';
import { sweepOldClips } from '../retention/retention.ts';
import type { KeyedClip } from './recordings.ts';
import { addFile, announce, readClip } from './recordings.ts';

let server: TestServer;
let owner: Client;
let recorder: Client;
let device: Device;
let clip: KeyedClip;

const sound = tinyWav(2.5);
const other = tinyWav(1);
const startTime = 1_794_700_000;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  const person = await server.addPerson();
  owner = person.session;
  device = await addDevice(owner);
  recorder = (await person.withKey({ deviceID: device.deviceID })).client;
  clip = await announce(recorder, device, { startTime, startTimeMs: 250 });
});

const params = () => ({ audioClipID: clip.key });
const put = (client: Client, body: Uint8Array<ArrayBuffer>) => client.putAudioClipContent({ params: params(), body });
const update = (client: Client, body: AudioClipUpdate) => client.updateAudioClip({ params: params(), body });
const patch = (client: Client, fieldName: string, value: unknown) =>
  client.patchAudioClip({ params: params(), body: [{ fieldName, value }] });
const played = async () =>
  Buffer.from(await (await owner.getAudioClipContent({ params: params() })).arrayBuffer()).equals(sound);
const fileOf = async (seconds: number) => (await addFile(owner, { device, seconds })).key;
const expire = () => server.db`
  update audio_clips set audio_clip_status = 5, file_id = null where key = ${clip.key}`;

/** Every request that would change the record, and each that changes nothing, for both rules. */
function describeRecord(title: string, caller: () => Client, reason: RegExp, prepare: () => Promise<unknown>): void {
  describe(title, () => {
    let before: KeyedClip;
    beforeEach(async () => {
      await put(owner, sound);
      await prepare();
      before = { ...(await readClip(owner, clip)), key: clip.key };
    });

    test.each([
      ['other bytes', () => put(caller(), other), 'content'],
      ['another file', async () => patch(caller(), 'fileID', await fileOf(1)), 'fileID'],
      ['another file, with PUT', async () => update(caller(), { fileID: await fileOf(1) }), 'fileID'],
      ['no file', () => patch(caller(), 'fileID', null), 'fileID'],
      ['no file, with PUT', () => update(caller(), { fileID: null }), 'fileID'],
      ['another start', () => update(caller(), { startTime: startTime + 1 }), 'startTime'],
      ['another millisecond of the start', () => update(caller(), { startTimeMs: 251 }), 'startTime'],
      ['another end', () => update(caller(), { endTime: startTime + 60 }), 'endTime'],
      ['another length', () => update(caller(), { clipLengthInSeconds: 60 }), 'endTime'],
      ['a length that differs by a second', () => update(caller(), { clipLengthInSeconds: 3.5 }), 'endTime'],
      ['no end', () => update(caller(), { endTime: null }), 'endTime'],
    ])('%s: 409, and nothing is changed', async (_title, request, field) => {
      await expect(request()).rejects.toEqual(
        refusedWith(409, new RegExp(`${field} cannot be changed: ${reason.source}`)),
      );
      expect(await readClip(owner, clip)).toEqual(before);
      expect(await played()).toBe(true);
    });

    test('the same bytes are accepted, and the clip keeps its file', async () => {
      expect(await put(caller(), sound)).toMatchObject({ fileID: before.fileID, audioClipStatus: 3 });
      expect(await readClip(owner, clip)).toEqual(before);
      expect(await played()).toBe(true);
    });

    test('the same file, or one with the same SHA-256, is accepted', async () => {
      await patch(caller(), 'fileID', before.fileID);
      await patch(caller(), 'fileID', await fileOf(2.5));
      await update(caller(), { fileID: await fileOf(2.5), audioClipStatus: 4 });
      const { fileID, audioClipStatus } = await readClip(owner, clip);
      expect({ fileID, audioClipStatus }).toEqual({ fileID: before.fileID, audioClipStatus: 3 });
    });

    test('the whole record, unset values and a length that differs by less than a second change nothing', async () => {
      await update(caller(), before);
      await update(caller(), { ...before, endTime: 0, endTimeMs: 0, fileID: 0, tagListID: 0 });
      await update(caller(), { clipLengthInSeconds: 3 });
      await update(caller(), { clipLengthInSeconds: 1.501 });
      await patch(caller(), 'fileID', 0);
      const { lastModifiedDate: _, lastModifiedBy: _by, ...after } = await readClip(owner, clip);
      const { lastModifiedDate: _former, lastModifiedBy: _formerBy, ...same } = before;
      expect(after).toEqual(same);
    });

    test('status numbers and other fields are written as before', async () => {
      await patch(caller(), 'audioClipStatus', 1);
      await patch(caller(), 'audioClipTypeID', 7);
      await update(caller(), { localFilePath: '/sound/1.wav', audioClipParameters: '{}', bitrate: 64_000 });
      expect(await readClip(owner, clip)).toMatchObject({
        audioClipStatus: 3,
        audioClipTypeID: 7,
        localFilePath: '/sound/1.wav',
        bitrate: 64_000,
      });
    });

    test('after expiry only the same bytes are taken, whatever status is written', async () => {
      await expire();
      await patch(caller(), 'audioClipStatus', 0);
      await expect(put(caller(), other)).rejects.toEqual(refusedWith(409));
      await expect(patch(caller(), 'fileID', await fileOf(1))).rejects.toEqual(refusedWith(409));
      await expect(update(caller(), { startTime: startTime + 1 })).rejects.toEqual(refusedWith(409));
      expect(await put(caller(), sound)).toMatchObject({ audioClipStatus: 3 });
      expect(await played()).toBe(true);
    });
  });
}

describeRecord(
  'a device key and a clip whose sound is complete',
  () => recorder,
  /the sound of this clip is complete/,
  async () => {},
);
describeRecord(
  'a person and a locked clip',
  () => owner,
  /the clip is locked/,
  () => owner.lockAudioClip({ params: params() }),
);

test('a device key brings the first sound, and corrects times before it', async () => {
  await update(recorder, { startTime: startTime + 5, clipLengthInSeconds: 4 });
  expect(await put(recorder, sound)).toMatchObject({ startTime: startTime + 5, clipLengthInSeconds: 4 });
});

test('an expired clip without a remembered hash takes no bytes from a device key', async () => {
  await server.db`update audio_clips set audio_clip_status = 5 where key = ${clip.key}`;
  await patch(recorder, 'audioClipStatus', 0);
  await update(recorder, { audioClipStatus: 2 });
  await expect(put(recorder, sound)).rejects.toEqual(refusedWith(409));
  expect(await readClip(owner, clip)).toMatchObject({ audioClipStatus: 5 });
  expect(await put(owner, sound)).toMatchObject({ audioClipStatus: 3 });
});

test('retention remembers the hash of sound that came before hashes were kept', async () => {
  await put(recorder, sound);
  await server.db`delete from clip_recordings where audio_clip_id = ${clip.key}`;
  const startMs = Date.now() - 15 * 86_400_000;
  await server.db`update audio_clips set start_ms = ${startMs}, end_ms = ${startMs + 2500} where key = ${clip.key}`;
  await server.db`update devices set retention_days = 10 where key = ${device.deviceID}`;
  await sweepOldClips({ db: server.db, versionDays: 30, removeCaptions });
  expect(await readClip(owner, clip)).toMatchObject({ audioClipStatus: 5 });
  await expect(put(recorder, other)).rejects.toEqual(refusedWith(409));
  expect(await put(recorder, sound)).toMatchObject({ audioClipStatus: 3 });
});

test('two equal uploads of a device key at once both succeed', async () => {
  const answers = await Promise.all([put(recorder, sound), put(recorder, sound), put(recorder, sound)]);
  expect(new Set(answers.map(({ fileID }) => fileID)).size).toBe(1);
});

test('an API key of a person changes sound and times', async () => {
  await put(recorder, sound);
  await put(owner, other);
  await update(owner, { startTime: startTime + 60 });
  expect(await readClip(owner, clip)).toMatchObject({ fileSize: other.length, startTime: startTime + 60 });
});

describe('a locked clip', () => {
  beforeEach(async () => {
    await owner.lockAudioClip({ params: params() });
  });

  test('takes its first sound, and then no other', async () => {
    await expect(update(recorder, { startTime: startTime + 1 })).rejects.toEqual(refusedWith(409));
    expect(await put(recorder, sound)).toMatchObject({ audioClipStatus: 3, endTimeMs: 750 });
    await expect(put(recorder, other)).rejects.toEqual(refusedWith(409));
  });

  test('is not removed, and neither is its device, until it is unlocked', async () => {
    const deviceParams = { deviceID: device.deviceID };
    const into = await addDevice(owner);
    await expect(owner.deleteAudioClip({ params: params() })).rejects.toEqual(refusedWith(409, /Unlock it first/));
    await expect(owner.deleteDevice({ params: deviceParams })).rejects.toEqual(refusedWith(409, /1 clip .* locked/));
    const merging = { params: deviceParams, body: { intoDeviceID: into.deviceID } };
    await expect(owner.mergeDevice(merging)).rejects.toEqual(refusedWith(409, /1 clip .* locked/));
    expect(await readClip(recorder, clip)).toMatchObject({ key: clip.key, deviceID: device.deviceID });
    await owner.unlockAudioClip({ params: params() });
    expect(await owner.mergeDevice(merging)).toMatchObject({ key: into.deviceID });
    expect(await readClip(owner, clip)).toMatchObject({ deviceID: into.deviceID });
    await owner.deleteAudioClip({ params: params() });
  });

  test('of another device does not hinder a merge into that device', async () => {
    const mistaken = await addDevice(owner);
    const merging = { params: { deviceID: mistaken.deviceID }, body: { intoDeviceID: device.deviceID } };
    expect(await owner.mergeDevice(merging)).toMatchObject({ key: device.deviceID });
  });

  test('takes captions, tags, a title and requests for its upload', async () => {
    await owner.correctCaption({ params: { captionID: clip.key }, body: { transcript: 'good morning' } });
    await owner.createAudioClipTag({ params: params(), body: { tagName: 'owl' } });
    await owner.updateAudioClipRecording({ params: params(), body: { title: 'Dawn' } });
    await owner.requestUpload({ body: { deviceID: device.deviceID, audioClips: [clip.key] } });
    expect(await readClip(owner, clip)).toMatchObject({ audioClipStatus: 1 });
  });
});

test('a device is merged neither into itself nor into one that is only readable', async () => {
  const { deviceID } = device;
  const merge = (intoDeviceID: number) => owner.mergeDevice({ params: { deviceID }, body: { intoDeviceID } });
  await expect(merge(deviceID)).rejects.toEqual(refusedWith(409, /into itself/));
  const lender = await server.addPerson();
  const lent = await addDevice(lender.session);
  const { key = 0 } = await lender.session.createCollection({ body: { collectionName: 'Quay' } });
  const { userID = 0 } = await owner.getSession();
  const place = (itemType: 'device' | 'user', itemID: number) =>
    lender.session.addCollectionItem({ params: { collectionItemID: key }, body: { itemType, itemID } });
  await place('device', lent.deviceID);
  await place('user', userID);
  await expect(merge(lent.deviceID)).rejects.toEqual(refusedWith(403));
  await lender.session.updateCollection({ params: { collectionID: key }, body: { memberAccess: 'write' } });
  await expect(merge(lent.deviceID)).rejects.toEqual(refusedWith(403));
});
