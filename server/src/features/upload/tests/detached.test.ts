import type { Client } from '@earshot/client/client';
import type { Person } from '@earshot/server/testing/person';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { KeyedClip } from '../../audio-clip/tests/recordings.ts';
import { addFile, announce, readClip } from '../../audio-clip/tests/recordings.ts';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice, refusedWith } from '../../event/tests/fleet.ts';
import { sha256, tinyWav } from '../../file/tests/sound.ts';
import { clipIn, tusOf } from './tus.ts';

// A person took the sound of a clip away, or replaced it. The recorder sends it again, because it does not know.

let server: SharedServer;
let person: Person;
let owner: Client;
let recorder: Client;
let authorization: string;
let device: Device;
let clip: KeyedClip;

const [sound, other] = [tinyWav(2.5), tinyWav(1)];
const startTime = 1_794_700_000;

beforeAll(async () => {
  server = await sharedTestServer();
  person = await server.addPerson();
  owner = person.session;
});
beforeEach(async () => {
  device = await addDevice(owner, { autoCaption: false });
  const key = await person.withKey({ deviceID: device.deviceID });
  recorder = key.client;
  const { accessKey, secretKey } = key.credential;
  authorization = `Basic ${Buffer.from(`${accessKey}:${secretKey}`).toString('base64')}`;
  clip = await announce(recorder, device, { startTime });
  await put(recorder, sound);
});

const params = () => ({ audioClipID: clip.key });
const put = (client: Client, body: Uint8Array<ArrayBuffer>) => client.putAudioClipContent({ params: params(), body });
const setFile = (client: Client, value: number | null) =>
  client.patchAudioClip({ params: params(), body: [{ fieldName: 'fileID', value }] });
const fileOf = async (seconds: number) => (await addFile(owner, { device, seconds })).key;
const detach = () => setFile(owner, null);

/** By tus, as the agent sends it; returns the key of its clip. */
async function upload(bytes: Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const tus = tusOf(server.url, person);
  const { deviceSerial } = device;
  const path = await tus.create(bytes.length, { deviceSerial, startDate: new Date(startTime * 1000).toISOString() });
  const response = await tus.patch(path, 0, bytes, headers);
  expect(response.status, await response.text()).toBe(204);
  return clipIn(response);
}
const byDevice = () => ({ cookie: '', authorization });

const isStored = async (bytes: Uint8Array) => {
  const recordings = [{ audioClipID: clip.key, sHA256Hash: sha256(bytes) }];
  return (await recorder.proveUploads({ body: { nonce: 'n'.repeat(32), recordings } })).proofs[0]?.isStored;
};
const isKnown = async (bytes: Uint8Array) => {
  const startDate = new Date(startTime * 1000).toISOString();
  const recordings = [{ deviceID: device.deviceID, startDate, sHA256Hash: sha256(bytes) }];
  return (await recorder.findKnownUploads({ body: { recordings } }))[0]?.isStored;
};

async function trail(): Promise<unknown[]> {
  const { results } = await owner.listAuditEntries({ body: { deviceID: device.deviceID, order: 'asc' } });
  return results
    .filter(({ action }) => /^sound-(replaced|detached)$/.test(action ?? ''))
    .map(({ action, sHA256Before, sHA256After }) => [action, sHA256Before, sHA256After]);
}

const countClips = async () =>
  (await owner.listAudioClipPage({ body: { deviceIDList: [device.deviceID] } })).results.length;

/** The clip has no sound, nothing new is told, and the recorder may remove its recording. */
async function expectDetached(): Promise<void> {
  expect(await readClip(owner, clip)).not.toHaveProperty('fileID');
  expect((await readClip(owner, clip)).audioClipStatus).not.toBe(3);
  expect(await countClips()).toBe(1);
  expect(await trail()).toEqual([['sound-detached', sha256(sound), undefined]]);
  expect([await isStored(sound), await isKnown(sound), await isStored(other)]).toEqual([true, true, false]);
}

describe('sound that a person took away', () => {
  beforeEach(detach);

  test.each<[string, () => Promise<unknown>]>([
    ['the content', () => put(recorder, sound)],
    ['a file of the same bytes', async () => setFile(recorder, await fileOf(2.5))],
    ['an upload by a device key', () => upload(sound, byDevice())],
    ['an upload by a person', () => upload(sound)],
    [
      'a status',
      () => recorder.patchAudioClip({ params: params(), body: [{ fieldName: 'audioClipStatus', value: 2 }] }),
    ],
  ])('is accepted and does not come back: %s', async (_title, send) => {
    await send();
    await expectDetached();
    await put(recorder, sound);
    await expectDetached();
  });

  test('an upload of it is its clip', async () => {
    expect(await upload(sound, byDevice())).toBe(clip.key);
  });

  test('is no other sound: a device key gets 409 for that', async () => {
    await expect(put(recorder, other)).rejects.toEqual(refusedWith(409, /the sound of this clip is complete/));
    await expect(setFile(recorder, await fileOf(1))).rejects.toEqual(refusedWith(409));
    await expectDetached();
  });

  test('is not requested from the recorder again', async () => {
    await owner.requestUpload({ body: { deviceID: device.deviceID, audioClips: [clip.key] } });
    expect(await readClip(owner, clip)).toMatchObject({ audioClipStatus: 0 });
  });

  test.each<[string, () => Promise<unknown>]>([
    ['its content', () => put(owner, sound)],
    ['a file', async () => setFile(owner, await fileOf(2.5))],
  ])('is given back by a person with %s, and the audit trail tells it', async (_title, giveBack) => {
    await giveBack();
    expect(await readClip(owner, clip)).toMatchObject({ audioClipStatus: 3 });
    expect(await trail()).toEqual([
      ['sound-detached', sha256(sound), undefined],
      ['sound-replaced', undefined, sha256(sound)],
    ]);
  });

  test('after other sound was given, the recorder still may remove its recording', async () => {
    await put(owner, other);
    await detach();
    expect([await isStored(sound), await isStored(other)]).toEqual([true, true]);
    await put(recorder, sound);
    expect(await upload(sound, byDevice())).toBe(clip.key);
    expect(await readClip(owner, clip)).not.toHaveProperty('fileID');
    expect(await trail()).toEqual([
      ['sound-detached', sha256(sound), undefined],
      ['sound-replaced', undefined, sha256(other)],
      ['sound-detached', sha256(other), undefined],
    ]);
  });

  test('of a locked clip stays away from everybody', async () => {
    await owner.lockAudioClip({ params: params() });
    await put(recorder, sound);
    await expect(put(owner, sound)).rejects.toEqual(refusedWith(409, /Unlock it first/));
    await expectDetached();
  });
});

test('sound that a person replaced is accepted from the recorder, and the clip keeps the other', async () => {
  await put(owner, other);
  expect(await put(recorder, sound)).toMatchObject({ fileSize: other.length });
  await setFile(recorder, await fileOf(2.5));
  expect(await readClip(owner, clip)).toMatchObject({ fileSize: other.length, audioClipStatus: 3 });
  expect(await trail()).toEqual([['sound-replaced', sha256(sound), sha256(other)]]);
  expect([await isStored(sound), await isKnown(sound)]).toEqual([true, true]);
});

describe('sound that came before hashes were remembered', () => {
  beforeEach(async () => {
    await server.db`delete from clip_recordings where audio_clip_id = ${clip.key}`;
  });

  test('does not come back after it was taken away', async () => {
    await detach();
    await put(recorder, sound);
    await upload(sound, byDevice());
    await expectDetached();
  });

  test.each<[string, () => Promise<unknown>]>([
    ['its content', () => put(owner, other)],
    ['a file', async () => setFile(owner, await fileOf(1))],
    [
      'its content, after it got a title',
      async () => {
        await owner.updateAudioClipRecording({ params: params(), body: { title: 'Dawn' } });
        await put(owner, other);
      },
    ],
  ])('does not come back after it was replaced by %s', async (_title, replace) => {
    await replace();
    await put(recorder, sound);
    expect(await upload(sound, byDevice())).toBe(clip.key);
    expect(await readClip(owner, clip)).toMatchObject({ fileSize: other.length });
    expect([await isStored(sound), await isKnown(sound)]).toEqual([true, true]);
  });
});

test('sound without a known hash is kept and told, and does not come back', async () => {
  const { fileID = 0 } = await readClip(owner, clip);
  await server.db`update files set sha256_hash = null where key = ${fileID}`;
  await server.db`delete from clip_recordings where audio_clip_id = ${clip.key}`;
  await detach();
  expect(await trail()).toEqual([['sound-detached', undefined, undefined]]);
  expect(await owner.listAudioClipVersions({ params: params() })).toHaveLength(1);
  await expect(put(recorder, sound)).rejects.toEqual(refusedWith(409));
  // Nobody knows whether it is the same recording.
  expect(await upload(sound, byDevice())).not.toBe(clip.key);
  expect(await readClip(owner, clip)).not.toHaveProperty('fileID');
});

test('what retention removed was stored, whatever status a client wrote since, and comes back', async () => {
  await server.db`update audio_clips set audio_clip_status = 5, file_id = null where key = ${clip.key}`;
  await recorder.patchAudioClip({ params: params(), body: [{ fieldName: 'audioClipStatus', value: 0 }] });
  expect([await isStored(sound), await isKnown(sound)]).toEqual([true, false]);
  expect(await put(recorder, sound)).toMatchObject({ audioClipStatus: 3 });
});
