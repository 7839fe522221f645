import { createHash, randomUUID } from 'node:crypto';
import { createClient } from '@earshot/client/client';
import { operationList } from '@earshot/contract/operations';
import type { Person } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { refusedWith } from '../event/tests/fleet.ts';
import { tinyWav } from '../file/tests/sound.ts';
import { openStream } from '../live/tests/stream.ts';

// tests/access calls every operation with a write-only key.

let server: TestServer;
let owner: Person;
let deviceID: number;
let deviceSerial: string;
beforeAll(async () => {
  server = await startTestServer();
  owner = await server.addPerson();
});
afterAll(() => server.stop());
beforeEach(async () => {
  deviceSerial = `d-${randomUUID()}`;
  deviceID = (await owner.session.createDevice({ body: { deviceSerial } })).key ?? 0;
});

const keysOfDevice = () => owner.session.listDeviceKeys({ params: { deviceID } });
const announce = [{ startTime: 1_790_000_000, clipLengthInSeconds: 1 }];

test('every operation of agents says whether a write-only key may call it', () => {
  const silent = operationList.filter(
    ([, { access, writeOnlyKeys }]) => (access === 'agent') !== (writeOnlyKeys !== undefined),
  );
  expect(silent).toEqual([]);
});

test('every operation of agents that takes a JSON Patch lets a write-only key only set fields', () => {
  const patching = operationList.filter(
    ([, { access, body }]) => access === 'agent' && JSON.stringify(body ?? {}).includes('"JsonPatchOperation"'),
  );
  const setting = operationList.filter(([, { writeOnlyKeys }]) => writeOnlyKeys === 'sets');
  expect(patching.length).toBeGreaterThan(0);
  expect(setting).toEqual(patching);
});

test('a write-only key sets fields of a clip in both formats, and neither reads nor tags it', async () => {
  const { client } = await owner.withKey({ deviceID, isWriteOnly: true });
  const [clip] = await client.announceAudioClips({ params: { deviceSerial }, body: announce });
  const params = { audioClipID: clip?.key ?? 0 };
  await client.patchAudioClip({
    params,
    body: [
      { op: 'replace', path: '/bitrate', value: 64 },
      { fieldName: 'FileSize', value: '7' },
    ],
  });
  const before = await owner.session.getAudioClip({ params });
  expect(before).toMatchObject({ bitrate: 64, fileSize: 7 });
  const reading = { op: 'test', path: '/bitrate', value: 64 } as const;
  await expect(client.patchAudioClip({ params, body: [reading] })).rejects.toEqual(
    refusedWith(403, /Operation 0 of the patch is “test”.*write-only/),
  );
  for (const operation of [
    { op: 'copy', from: '/bitrate', path: '/fileSize' },
    { op: 'move', from: '/bitrate', path: '/fileSize' },
    { op: 'remove', path: '/bitrate' },
  ] as const) {
    const body = [{ fieldName: 'fileSize', value: 1 }, operation];
    await expect(client.patchAudioClip({ params, body })).rejects.toEqual(refusedWith(403, /Operation 1 of the patch/));
  }
  expect(await owner.session.getAudioClip({ params })).toEqual(before);
  const tag = client.createAudioClipTag({ params, body: { tagName: 'rain' } });
  await expect(tag).rejects.toEqual(refusedWith(403, /write-only/));
  // A key that can read may do all of it.
  const both = (await owner.withKey({ deviceID })).client;
  await both.patchAudioClip({ params, body: [reading, { op: 'remove', path: '/bitrate' }] });
});

test('a write-only key uploads, and does not read what it uploaded', async () => {
  const { client } = await owner.withKey({ deviceID, isWriteOnly: true });
  const [clip] = await client.announceAudioClips({ params: { deviceSerial }, body: announce });
  const params = { audioClipID: clip?.key ?? 0 };
  const sound = tinyWav(1);
  expect(await client.putAudioClipContent({ params, body: sound })).toMatchObject({ audioClipStatus: 3 });
  await expect(client.getAudioClip({ params })).rejects.toEqual(refusedWith(403, /write-only/));
  await expect(client.getAudioClipContent({ params })).rejects.toEqual(refusedWith(403, /write-only/));
  const sHA256Hash = createHash('sha256').update(sound).digest('hex');
  const recordings = [{ ...params, sHA256Hash }];
  expect(await client.proveUploads({ body: { nonce: randomUUID(), recordings } })).toMatchObject({
    proofs: [{ isStored: true }],
  });
  const known = client.findKnownUploads({
    body: { recordings: [{ deviceID, startDate: '2026-09-21T00:00:00Z', sHA256Hash }] },
  });
  await expect(known).rejects.toEqual(refusedWith(403, /write-only/));
});

test('a signed request of a write-only key is refused in the same way', async () => {
  const { client } = await owner.withKey({ deviceID, isWriteOnly: true, signed: true });
  await client.announceAudioClips({ params: { deviceSerial }, body: announce });
  await expect(client.listAudioClips({ body: { deviceID } })).rejects.toEqual(refusedWith(403, /write-only/));
});

test('the answer to a finished upload leads a write-only key to no bytes', async () => {
  const sound = tinyWav(1);
  const body = {
    deviceSerial,
    filename: 'dawn.wav',
    fileSize: sound.length,
    sHA256Hash: createHash('sha256').update(sound).digest('hex'),
  };
  const reading = (await owner.withKey({ deviceID })).client;
  const writing = (await owner.withKey({ deviceID, isWriteOnly: true })).client;
  const file = await writing.createFile({ body });
  expect((await fetch(file.signedURL ?? '', { method: 'PUT', body: sound })).status).toBe(200);
  const params = { fileID: file.key ?? 0 };
  expect(await writing.finishFile({ params })).toMatchObject({ fileID: params.fileID, fileStatus: 1 });
  expect(await writing.finishFile({ params })).not.toHaveProperty('fileLocation');
  expect(await reading.finishFile({ params })).toHaveProperty('fileLocation');
});

test('keys are made as asked for, can read by default, and are listed so', async () => {
  await owner.withKey({ deviceID });
  await owner.withKey({ deviceID, isWriteOnly: true });
  const made = await fetch(`${server.url}/v1/device/${deviceID}/apikey`, {
    method: 'POST',
    headers: { cookie: owner.cookie },
  });
  expect(await made.json()).not.toHaveProperty('isWriteOnly');
  expect((await keysOfDevice()).map(({ isWriteOnly }) => isWriteOnly)).toEqual([false, true, false]);
  const [listed] = await owner.session.listApiKeys();
  expect(listed).not.toHaveProperty('isWriteOnly');
});

test('a key that becomes write-only stops reading at once, on every node', async () => {
  const other = await server.addNode();
  const { credential, apiKeyID } = await owner.withKey({ deviceID });
  const [here, there] = [server.url, other.url].map((url) => createClient({ url, credential }));
  for (const client of [here, there]) await client?.listAudioClips({ body: { deviceID } });
  const streams = [await openStream(server.url, { credential }), await openStream(other.url, { credential })];
  await owner.session.makeKeyWriteOnly({ params: { apiKeyID } });
  for (const client of [here, there]) {
    await expect(client?.listAudioClips({ body: { deviceID } })).rejects.toEqual(refusedWith(403, /write-only/));
    await client?.reportDeviceReady({ body: { deviceSerial } });
  }
  await Promise.all(streams.map(({ ended }) => ended));
  expect(await keysOfDevice()).toMatchObject([{ key: apiKeyID, isWriteOnly: true }]);
});

test('the change is in the trail once, and a repetition is a success', async () => {
  const { apiKeyID } = await owner.withKey({ deviceID });
  await owner.session.makeKeyWriteOnly({ params: { apiKeyID } });
  await owner.session.makeKeyWriteOnly({ params: { apiKeyID } });
  const entries = await server.db`
    select user_id, device_id from audit_entries where action = 'key-changed' and record_key = ${apiKeyID}`;
  expect(entries).toEqual([{ user_id: owner.userID, device_id: deviceID }]);
});

test('the key of a person cannot be write-only', async () => {
  const { apiKeyID } = await owner.withKey();
  const change = owner.session.makeKeyWriteOnly({ params: { apiKeyID } });
  await expect(change).rejects.toEqual(refusedWith(409, /device/));
});
