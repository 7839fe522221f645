import { createHash } from 'node:crypto';
import type { Client } from '@earshot/client/client';
import { largestFileBytes } from '@earshot/contract/file';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { addDevice } from '../../event/tests/fleet.ts';
import { sha256, tinyWav } from '../../file/tests/sound.ts';
import type { Headers, Tus } from './tus.ts';
import { clipIn, metadataOf, offsetIn, tusOf } from './tus.ts';

let server: SharedServer;
let client: Client;
let tus: Tus;
let device: { deviceID: number; deviceSerial: string };
beforeAll(async () => {
  server = await sharedTestServer();
  const person = await server.addPerson();
  client = person.session;
  tus = tusOf(server.url, person);
  device = await addDevice(client);
});

const wav = tinyWav();
let lastStart = Date.parse('2026-11-15T00:00:00Z');
const nextStart = () => new Date((lastStart += 10_000)).toISOString();
const create = (size = wav.length, more: Readonly<Record<string, string | number>> = {}) =>
  tus.create(size, { deviceSerial: device.deviceSerial, startDate: nextStart(), ...more });
const newUpload = (): Headers => ({
  'upload-length': String(wav.length),
  'upload-metadata': metadataOf({ deviceSerial: device.deviceSerial, startDate: nextStart() }),
});
const detailOf = async (response: Response): Promise<string> => ((await response.json()) as { detail: string }).detail;
const digest = (algorithm: string, bytes: Uint8Array) =>
  `${algorithm} ${createHash(algorithm).update(bytes).digest('base64')}`;

describe('the protocol', () => {
  test('describes itself', async () => {
    const response = await fetch(new URL('/v1/upload', server.url), { method: 'OPTIONS' });
    expect([response.status, response.headers.get('tus-version')]).toEqual([204, '1.0.0']);
    expect(response.headers.get('tus-extension')).toBe('creation,creation-with-upload,termination,expiration,checksum');
    expect(response.headers.get('tus-max-size')).toBe(String(largestFileBytes));
    expect(response.headers.get('tus-checksum-algorithm')).toBe('sha256,sha1');
  });

  test.each(['', '0.2.2'])('of the version "%s" is refused, with the supported one', async (version) => {
    const path = await create();
    const tries = [
      await tus.send('POST', '/v1/upload', { 'tus-resumable': version, 'upload-length': '5' }),
      await tus.send('HEAD', path, { 'tus-resumable': version }),
      await tus.patch(path, 0, wav, { 'tus-resumable': version }),
      await tus.send('DELETE', path, { 'tus-resumable': version }),
    ];
    for (const { status, headers } of tries) {
      expect([status, headers.get('tus-version'), headers.get('tus-resumable')]).toEqual([412, '1.0.0', '1.0.0']);
    }
    expect(offsetIn(await tus.head(path))).toBe(0);
  });

  test('has its version in every response, also in that to a caller without credentials', async () => {
    const response = await fetch(new URL('/v1/upload/1', server.url), { method: 'HEAD' });
    expect([response.status, response.headers.get('tus-resumable')]).toEqual([401, '1.0.0']);
  });

  test('refuses a wrong content type', async () => {
    const path = await create();
    const response = await tus.patch(path, 0, wav, { 'content-type': 'audio/wav' });
    expect([response.status, await detailOf(response)]).toEqual([415, expect.stringContaining('offset+octet-stream')]);
    expect(offsetIn(await tus.head(path))).toBe(0);
  });

  test('refuses a wrong offset, and tells the right one', async () => {
    const path = await create();
    await tus.patch(path, 0, wav.slice(0, 1000));
    for (const offset of [0, 999, 1001, 8044]) {
      const response = await tus.patch(path, offset, wav.slice(0, 10));
      expect([response.status, offsetIn(response)]).toEqual([409, 1000]);
    }
    const last = await tus.patch(path, 1000, wav.slice(1000));
    const late = await tus.patch(path, 1000, wav.slice(1000));
    expect([late.status, offsetIn(late)]).toEqual([409, wav.length]);
    expect(clipIn(await tus.head(path))).toBe(clipIn(last));
  });

  test('refuses more bytes than were announced, and stores none of them', async () => {
    const path = await create(wav.length - 10);
    expect((await tus.patch(path, 0, wav)).status).toBe(413);
    expect(offsetIn(await tus.head(path))).toBe(0);
    const created = await tus.send('POST', '/v1/upload', { ...newUpload(), 'upload-length': '100' }, wav);
    expect(created.status).toBe(413);
  });

  test('refuses a byte beyond the end of a complete upload, with and without a known length', async () => {
    const path = await create();
    const audioClipID = clipIn(await tus.patch(path, 0, wav));
    const one = new Uint8Array([1]);
    const stream = () => new Blob([one]).stream();
    const late = [await tus.patch(path, wav.length, one), await tus.stream(path, wav.length, stream())];
    for (const response of late) {
      expect([response.status, await detailOf(response)]).toEqual([413, expect.stringContaining('has 8044 bytes')]);
    }
    const nothing = await tus.patch(path, wav.length, new Uint8Array());
    expect([nothing.status, clipIn(nothing)]).toEqual([204, audioClipID]);
  });

  test.each(['partial', 'final;/v1/upload/1 /v1/upload/2'])('refuses Upload-Concat: %s', async (concat) => {
    const response = await tus.send('POST', '/v1/upload', { ...newUpload(), 'upload-concat': concat }, wav);
    expect([response.status, await detailOf(response)]).toEqual([400, expect.stringContaining('upload-concat')]);
    expect(response.headers.get('location')).toBeNull();
  });

  test('of two requests with the same bytes one is accepted', async () => {
    const path = await create(wav.length);
    const sent = await Promise.all([tus.patch(path, 0, wav), tus.patch(path, 0, wav)]);
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([204, 409]));
    expect(clipIn(await tus.head(path))).toBeGreaterThan(0);
  });
});

test('an upload that is ended while its bytes arrive is gone', async () => {
  const path = await create();
  let end = () => {};
  const isEnded = new Promise<void>((resolve) => (end = resolve));
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(wav.slice(0, 4000));
      await isEnded;
      controller.enqueue(wav.slice(4000));
      controller.close();
    },
  });
  const sending = tus.stream(path, 0, body);
  await vi.waitUntil(async () => offsetIn(await tus.head(path)) === 4000);
  expect((await tus.send('DELETE', path)).status).toBe(204);
  end();
  expect((await sending).status).toBe(410);
  expect((await tus.head(path)).status).toBe(404);
});

describe('a new upload', () => {
  test.each<[string, Headers, number, RegExp]>([
    ['without a length', { 'upload-length': '' }, 400, /upload-length/],
    ['without bytes', { 'upload-length': '0' }, 400, /upload-length/],
    ['that is too large', { 'upload-length': String(largestFileBytes + 1) }, 413, /at most/],
    ['without a device', { 'upload-metadata': metadataOf({ filename: 'a' }) }, 400, /deviceID or deviceSerial/],
    ['of an unknown device', { 'upload-metadata': metadataOf({ deviceSerial: 'nobody' }) }, 404, /no device/],
    ['with a wrong key', { 'upload-metadata': metadataOf({ deviceID: 'x' }) }, 400, /upload-metadata\.deviceID/],
    ['with a wrong date', { 'upload-metadata': metadataOf({ startDate: '2026-11-15' }) }, 400, /\.startDate must be/],
    ['with a wrong hash', { 'upload-metadata': metadataOf({ sha256: 'ff' }) }, 400, /\.sha256 must be/],
    ['with no Base64', { 'upload-metadata': 'deviceSerial !!' }, 400, /\.deviceSerial must be UTF-8 text in Base64/],
    ['with a name twice', { 'upload-metadata': 'a YQ==,a YQ==' }, 400, /\.a is given twice/],
    ['with a wrong checksum', { 'upload-checksum': 'md5 AAAA' }, 400, /upload-checksum must use sha256 or sha1/],
  ])('%s is refused', async (_name, headers, status, detail) => {
    const good = { 'upload-length': '10', 'upload-metadata': metadataOf({ deviceSerial: device.deviceSerial }) };
    const response = await tus.send('POST', '/v1/upload', { ...good, ...headers });
    expect([response.status, await detailOf(response)]).toEqual([status, expect.stringMatching(detail)]);
  });
});

describe('bytes that cannot be a clip', () => {
  test.each([
    ['in one piece', 1],
    ['in two pieces', 2],
  ])('because they are no sound are removed: %s', async (_name, pieces) => {
    const text = new Uint8Array(Buffer.from('no sound '.repeat(10_000)));
    const path = await create(text.length);
    const half = pieces === 1 ? 0 : 10;
    if (half > 0) expect((await tus.patch(path, 0, text.slice(0, half))).status).toBe(204);
    const response = await tus.patch(path, half, text.slice(half));
    expect([response.status, await detailOf(response)]).toEqual([415, expect.stringContaining('not supported')]);
    expect((await tus.head(path)).status).toBe(404);
  });

  test('because their SHA-256 is another are removed', async () => {
    const path = await create(wav.length, { sha256: sha256(tinyWav(0.5, 700)) });
    const response = await tus.patch(path, 0, wav);
    expect([response.status, await detailOf(response)]).toEqual([460, expect.stringContaining(sha256(wav))]);
    expect((await tus.head(path)).status).toBe(404);
  });

  test.each(['sha256', 'sha1'])('because a piece has a wrong %s are discarded, and can be sent again', async (name) => {
    const path = await create();
    const [first, rest] = [wav.slice(0, 4000), wav.slice(4000)];
    expect((await tus.patch(path, 0, first, { 'upload-checksum': digest(name, first) })).status).toBe(204);
    const damaged = rest.slice();
    damaged[10] = 77;
    expect((await tus.patch(path, 4000, damaged, { 'upload-checksum': digest(name, rest) })).status).toBe(460);
    expect(offsetIn(await tus.head(path))).toBe(4000);
    const response = await tus.patch(path, 4000, rest, { 'upload-checksum': digest(name, rest) });
    expect([response.status, clipIn(response) > 0]).toEqual([204, true]);
  });
});

describe('an upload of another person', () => {
  test('is not found; with a right to read it may not be continued, with one to write it may', async () => {
    const other = await server.addPerson();
    const theirs = tusOf(server.url, other);
    const path = await create();
    const all = (given: Tus) => [given.head(path), given.patch(path, 0, wav.slice(0, 10)), given.send('DELETE', path)];
    expect((await Promise.all(all(theirs))).map(({ status }) => status)).toEqual([404, 404, 404]);

    const { key: collectionID = 0 } = await client.createCollection({
      body: { collectionName: 'Shared', memberAccess: 'read' },
    });
    const add = (itemType: 'device' | 'user', itemID: number) =>
      client.addCollectionItem({ params: { collectionItemID: collectionID }, body: { itemType, itemID } });
    await add('device', device.deviceID);
    await add('user', other.userID);
    expect((await Promise.all(all(theirs))).map(({ status }) => status)).toEqual([403, 403, 403]);
    const metadata = metadataOf({ deviceID: device.deviceID });
    const created = await theirs.send('POST', '/v1/upload', { 'upload-length': '10', 'upload-metadata': metadata });
    expect(created.status).toBe(403);

    await client.updateCollection({ params: { collectionID }, body: { memberAccess: 'write' } });
    expect((await theirs.patch(path, 0, wav)).status).toBe(204);
  });
});

test('a device key uploads for its device without naming it', async () => {
  const person = await server.addPerson();
  const { deviceID } = await addDevice(person.session);
  const { credential } = await person.withKey({ deviceID });
  const authorization = `Basic ${Buffer.from(`${credential.accessKey}:${credential.secretKey}`).toString('base64')}`;
  const headers = { cookie: '', authorization, 'upload-length': String(wav.length) };
  const response = await tus.send('POST', '/v1/upload', headers, wav);
  expect(response.status).toBe(201);
  const clip = await person.session.getAudioClip({ params: { audioClipID: clipIn(response) } });
  expect(clip).toMatchObject({ deviceID });
});
