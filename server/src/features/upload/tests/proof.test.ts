import { createHmac, randomUUID } from 'node:crypto';
import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import { proofText } from '@earshot/contract/upload-proof';
import type { Person } from '@earshot/server/testing/person';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, expect, test } from 'vitest';
import { addDevice } from '../../event/tests/fleet.ts';
import { sha256, tinyWav } from '../../file/tests/sound.ts';
import { clipIn, metadataOf, tusOf } from './tus.ts';

let server: SharedServer;
let person: Person;
let device: { deviceID: number; deviceSerial: string };
let audioClipID: number;
const wav = tinyWav();
const sHA256Hash = sha256(wav);

async function uploadTo(owner: Person, deviceID: number, startDate: string): Promise<number> {
  const headers = {
    'upload-length': String(wav.length),
    'upload-metadata': metadataOf({ deviceID, startDate }),
    'content-type': 'application/offset+octet-stream',
  };
  return clipIn(await tusOf(server.url, owner).send('POST', '/v1/upload', headers, wav));
}

beforeAll(async () => {
  server = await sharedTestServer();
  person = await server.addPerson();
  device = await addDevice(person.session);
  audioClipID = await uploadTo(person, device.deviceID, '2026-11-15T00:00:00Z');
});

const stored = () => [{ audioClipID, sHA256Hash }];
const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

test.each([{ signed: true }, { signed: false }])('a device key gets a keyed proof (%o)', async ({ signed }) => {
  const { client, credential } = await person.withKey({ deviceID: device.deviceID, signed });
  const nonce = randomUUID();
  const other = sHA256Hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
  const recordings = [
    { audioClipID, sHA256Hash: sHA256Hash.toUpperCase() },
    { audioClipID, sHA256Hash: other },
    { audioClipID: 999_999_999, sHA256Hash },
  ];
  const answer = await client.proveUploads({ body: { nonce, recordings } });
  expect(answer.nonce).toBe(nonce);
  expect(answer.proofs.map(({ isStored }) => isStored)).toEqual([true, false, false]);
  expect(answer.proofs[0]).toMatchObject({ audioClipID, sHA256Hash });
  for (const { proof, ...told } of answer.proofs)
    expect(proof).toBe(hmac(credential.secretKey, proofText(nonce, told)));
  expect(new Set(answer.proofs.map(({ proof }) => proof)).size).toBe(3);
});

test('a session is told without a proof', async () => {
  const { proofs } = await person.session.proveUploads({ body: { nonce: randomUUID(), recordings: stored() } });
  expect(proofs).toEqual([{ audioClipID, sHA256Hash, isStored: true }]);
});

test('a clip of a device that the caller may not write is not stored', async () => {
  const ask = async (client: Person['session']) =>
    (await client.proveUploads({ body: { nonce: randomUUID(), recordings: stored() } })).proofs[0]?.isStored;
  const stranger = await server.addPerson();
  expect(await ask(stranger.session)).toBe(false);
  const second = await addDevice(person.session);
  expect(await ask((await person.withKey({ deviceID: second.deviceID })).client)).toBe(false);
  const collection = await person.session.createCollection({ body: { collectionName: 'Lent' } });
  const shared = [
    { itemType: 'device', itemID: device.deviceID },
    { itemType: 'user', itemID: stranger.userID },
  ] as const;
  for (const body of shared)
    await person.session.addCollectionItem({ params: { collectionItemID: collection.key ?? 0 }, body });
  await stranger.session.getAudioClip({ params: { audioClipID } });
  expect(await ask(stranger.session)).toBe(false);
});

test('a clip that was only announced is not stored', async () => {
  const { client } = await person.withKey({ deviceID: device.deviceID });
  const body = { startTime: 1_700_000_000, startTimeMs: 0, clipLengthInSeconds: 1 };
  const [clip] = await client.announceAudioClips({ params: { deviceSerial: device.deviceSerial }, body: [body] });
  expect(clip?.audioClipStatus ?? audioClipStatus.onDevice).toBe(audioClipStatus.onDevice);
  const recordings = [{ audioClipID: clip?.key ?? 0, sHA256Hash }];
  const { proofs } = await client.proveUploads({ body: { nonce: randomUUID(), recordings } });
  expect(proofs[0]?.isStored).toBe(false);
});

test.each([
  ['a short nonce', { nonce: 'short', recordings: [{ audioClipID: 1, sHA256Hash }] }],
  ['a nonce with a line break', { nonce: `${'a'.repeat(20)}\n`, recordings: [{ audioClipID: 1, sHA256Hash }] }],
  ['no recordings', { nonce: randomUUID(), recordings: [] }],
  [
    'too many',
    { nonce: randomUUID(), recordings: Array.from({ length: 101 }, () => ({ audioClipID: 1, sHA256Hash })) },
  ],
  ['a hash that is none', { nonce: randomUUID(), recordings: [{ audioClipID: 1, sHA256Hash: 'x' }] }],
])('%s is refused', async (_name, body) => {
  await expect(person.session.proveUploads({ body })).rejects.toMatchObject({ status: 400 });
});
