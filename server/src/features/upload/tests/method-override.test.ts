import type { Person } from '@earshot/server/testing/person';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, describe, expect, test } from 'vitest';
import { signHeaders } from '../../../../../tests/access/signing.ts';
import { addDevice } from '../../event/tests/fleet.ts';
import { tinyWav } from '../../file/tests/sound.ts';
import type { Headers, Tus } from './tus.ts';
import { clipIn, offsetIn, tusOf } from './tus.ts';

/* Requests of networks that let only GET and POST pass. */

let server: SharedServer;
let person: Person;
let tus: Tus;
let device: { deviceID: number; deviceSerial: string };
beforeAll(async () => {
  server = await sharedTestServer();
  person = await server.addPerson();
  tus = tusOf(server.url, person);
  device = await addDevice(person.session);
});

const wav = tinyWav();
let lastStart = Date.parse('2026-11-15T00:00:00Z');
const create = () => {
  const startDate = new Date((lastStart += 10_000)).toISOString();
  return tus.create(wav.length, { deviceSerial: device.deviceSerial, startDate });
};
const as = (method: string, more: Headers = {}): Headers => ({ 'x-http-method-override': method, ...more });
const postAs = (method: string, path: string, headers: Headers = {}, body?: Uint8Array<ArrayBuffer>) =>
  tus.send('POST', path, as(method, headers), body);

test('an upload is sent, read and ended by POST alone', async () => {
  const path = await create();
  const first = await postAs('PATCH', path, { 'upload-offset': '0' }, wav.slice(0, 3000));
  expect([first.status, offsetIn(first)]).toEqual([204, 3000]);
  const between = await postAs('head', path);
  expect([between.status, offsetIn(between), between.headers.get('upload-length')]).toEqual([200, 3000, '8044']);
  expect(await between.text()).toBe('');
  const last = await postAs('Patch', path, { 'upload-offset': '3000' }, wav.slice(3000));
  expect([last.status, clipIn(last) > 0]).toEqual([204, true]);
  expect((await postAs('DELETE', path)).status).toBe(204);
  expect((await tus.head(path)).status).toBe(404);
});

test('the content type, the version and the errors are those of the method', async () => {
  const path = await create();
  const asJson = { 'upload-offset': '0', 'content-type': 'application/json' };
  expect((await postAs('PATCH', path, asJson, wav)).status).toBe(415);
  const unknown = await postAs('HEAD', path, { 'tus-resumable': '' });
  expect([unknown.status, unknown.headers.get('tus-version')]).toEqual([412, '1.0.0']);
  const wrong = await postAs('PATCH', path, { 'upload-offset': '5' }, wav);
  expect([wrong.status, offsetIn(wrong)]).toEqual([409, 0]);
  expect((await postAs('PATCH', path, { 'upload-offset': '0' }, new Uint8Array([...wav, 0]))).status).toBe(413);
  expect((await postAs('HEAD', '/v1/upload/999999999')).status).toBe(404);
});

describe('it is no way around a check', () => {
  test('of the caller', async () => {
    const path = await create();
    const stranger = tusOf(server.url, await server.addPerson());
    const nobody = { cookie: '' };
    for (const method of ['HEAD', 'DELETE', 'PATCH']) {
      const headers = as(method, { 'upload-offset': '0' });
      const body = method === 'PATCH' ? wav : undefined;
      expect((await stranger.send('POST', path, headers, body)).status, method).toBe(404);
      expect((await tus.send('POST', path, { ...headers, ...nobody }, body)).status, method).toBe(401);
    }
    expect(offsetIn(await tus.head(path))).toBe(0);
  });

  test('of the origin', async () => {
    const path = await create();
    const elsewhere = { origin: 'https://elsewhere.example' };
    for (const method of ['HEAD', 'DELETE']) expect((await postAs(method, path, elsewhere)).status).toBe(403);
    expect((await tus.head(path)).status).toBe(200);
  });

  test('of the signature, which covers the resulting method', async () => {
    const path = await create();
    const { credential } = await person.withKey();
    const headersFor = (method: string) => ({ cookie: '', ...signHeaders(credential, { method, path }) });
    for (const signed of ['POST', 'HEAD']) {
      expect((await postAs('DELETE', path, headersFor(signed))).status, signed).toBe(401);
    }
    expect((await postAs('DELETE', path, headersFor('DELETE'))).status).toBe(204);
  });
});

describe('it is ignored', () => {
  test.each(['GET', 'PUT', 'OPTIONS', 'CONNECT', 'PATCH, DELETE', 'nonsense', ''])('for %s', async (method) => {
    const path = await create();
    expect((await tus.send('POST', path, { 'x-http-method-override': method || ' ' })).status).toBe(405);
    expect((await tus.head(path)).status).toBe(200);
  });

  test('at every other path, and with every other method', async () => {
    const path = await create();
    const isNotFound = await fetch(new URL(`/v1/device/${device.deviceID}`, server.url), {
      method: 'POST',
      headers: { cookie: person.cookie, 'x-http-method-override': 'DELETE' },
    });
    expect(isNotFound.status).toBe(405);
    expect(await person.session.getDevice({ params: { deviceID: device.deviceID } })).toBeDefined();
    const known = await fetch(new URL('/v1/upload/known', server.url), {
      method: 'POST',
      headers: { cookie: person.cookie, 'content-type': 'application/json', 'x-http-method-override': 'DELETE' },
      body: JSON.stringify({ hashes: [] }),
    });
    expect(known.status).toBe(200);
    expect((await tus.send('HEAD', path, as('DELETE'))).status).toBe(200);
    expect((await tus.head(path)).status).toBe(200);
  });
});
