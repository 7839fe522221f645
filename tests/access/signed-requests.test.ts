import { randomUUID } from 'node:crypto';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from './ask.ts';
import { ask } from './ask.ts';
import type { KeyedDevice } from './places.ts';
import { addDevice } from './places.ts';
import type { Signer, ToSign } from './signing.ts';
import { askSigned, epochSeconds, forms, signHeaders } from './signing.ts';

let server: TestServer;
let signer: Signer;
let device: KeyedDevice;
let path: string;
beforeAll(async () => {
  server = await startTestServer();
  const person = await server.addPerson();
  device = await addDevice(person);
  path = `/v1/device/${device.key}`;
  signer = (await person.withKey()).credential;
});
afterAll(() => server.stop());

type Sent = Partial<ToSign> & { target?: string; headers?: Record<string, string> };
const get = (request: Sent = {}, by = signer): Promise<Answer> =>
  askSigned(server.url, by, { method: 'GET', path, ...request });
const list = (request: Sent = {}) =>
  askSigned(server.url, signer, { method: 'POST', path: '/v1/device/list', ...request });
/** Signs one request and sends another. */
const replay = (signed: ToSign, method: string, target: string, body?: string) =>
  ask(server.url, method, target, { headers: signHeaders(signer, signed), body });

describe.each(forms)('with lines %s', (form) => {
  test('a request has the rights of the key’s owner', async () => {
    const answer = await get({ form });
    expect(answer).toMatchObject({ status: 200, json: { key: device.key } });
  });

  test('parameters are signed decoded and sorted by name and value, including duplicate and empty ones', async () => {
    const query = [
      ['a', '1'],
      ['a', '10'],
      ['a', '9'],
      ['a-b', '0'],
      ['flag', ''],
      ['ñame', 'grün & blau=ja 🎙'],
      ['ñame', '%41+'],
    ] as const;
    // In another order, and with more percent-encoding than necessary.
    const target = `${path}?a-b=0&flag&%C3%B1ame=%2541%2B&a=9&%61=10&a=%31&%C3%B1ame=gr%C3%BCn%20%26%20blau%3Dja%20%F0%9F%8E%99`;
    const sorted = [...query.slice(0, 5), query[6], query[5]];
    expect((await get({ form, query: sorted, target })).status).toBe(200);
    expect((await get({ form, query, target })).status).toBe(401);
    // Sorted by the whole line, `a-b: 0` would be before `a: 1`.
    const byLine = [query[3], ...query.slice(0, 3), query[4], query[6], query[5]];
    expect((await get({ form, query: byLine, target })).status).toBe(401);
  });

  test('a body is signed in UTF-8 as sent, without trailing white space', async () => {
    for (const body of [
      '{"searchText":"Nordtor – überm Fluß 🎙 \\u00e9"}',
      ' \n\t {"count": 5}',
      '{"count": 5} \r\n\t ',
      '\n\n{\n  "count": 5\n}\n\n',
    ]) {
      expect([body, (await list({ form, body })).status]).toEqual([body, 200]);
    }
  });

  test('a trailing slash of the path is not signed', async () => {
    expect((await get({ form, target: `${path}/` })).status).toBe(200);
    expect((await get({ form, path: `${path}/`, target: `${path}/` })).status).toBe(401);
    expect((await list({ form, path: '/v1/device/list', target: '/v1/device/list/', body: '{}' })).status).toBe(200);
  });

  test('the content type is not signed', async () => {
    for (const type of ['application/json; charset=utf-8', 'text/json', 'application/vnd.x+json']) {
      expect((await list({ form, body: '{}', headers: { 'content-type': type } })).status).toBe(200);
    }
  });

  test('a device key can sign requests for its device', async () => {
    const owner = await server.addPerson();
    const [own, other] = [await addDevice(owner), await addDevice(owner)];
    const { credential } = await owner.withKey({ deviceID: own.key });
    const register = ({ deviceSerial }: KeyedDevice) => {
      const body = JSON.stringify({ deviceSerial, agentType: 'Audio', processID: 4711 });
      return askSigned(server.url, credential, { method: 'POST', path: '/v1/agent', body, form });
    };
    expect(await register(own)).toMatchObject({ status: 200, json: { deviceID: own.key } });
    expect((await register(other)).status).toBe(400);
    expect((await get({ form, path: `/v1/device/${other.key}` }, credential)).status).toBe(404);
  });
});

describe('a signed request is refused', () => {
  test('with a signature that is wrong, truncated, missing or made with another secret', async () => {
    const good = signHeaders(signer, { method: 'GET', path })['X-Signature'];
    const flipped = (good.startsWith('0') ? '1' : '0') + good.slice(1);
    for (const signature of [flipped, good.slice(0, -2), `${good}00`, '', 'z'.repeat(64)]) {
      expect((await get({ headers: { 'X-Signature': signature } })).status).toBe(401);
    }
    expect((await get({}, { ...signer, secretKey: `${signer.secretKey}x` })).status).toBe(401);
  });

  test('when method, path, query or body were changed after signing', async () => {
    const body = '{"count":1}';
    const target = '/v1/device/list';
    expect((await replay({ method: 'POST', path: target, body }, 'POST', target, body)).status).toBe(200);
    expect((await replay({ method: 'POST', path: target, body }, 'POST', target, '{"count":2}')).status).toBe(401);
    expect((await replay({ method: 'POST', path: target, body }, 'POST', target, '')).status).toBe(401);
    expect((await replay({ method: 'POST', path: target, body }, 'POST', '/v1/agent/list', body)).status).toBe(401);
    expect((await replay({ method: 'GET', path }, 'DELETE', path)).status).toBe(401);
    expect((await replay({ method: 'GET', path }, 'GET', `${path}?a=1`)).status).toBe(401);
    expect((await replay({ method: 'GET', path, query: [['a', '1']] }, 'GET', `${path}?a=2`)).status).toBe(401);
    expect((await replay({ method: 'GET', path, query: [['a', '1']] }, 'GET', path)).status).toBe(401);
    expect((await get()).status).toBe(200);
  });

  test.each(forms)('when its query is ambiguous with the same signature (%s)', async (form) => {
    const signed = (...query: [string, string][]) => signHeaders(signer, { method: 'GET', path, query, form });
    const sent = async (headers: Record<string, string>, query: string) =>
      (await ask(server.url, 'GET', `${path}?${query}`, { headers })).status;
    const two = (): Record<string, string> => signed(['a', '1'], ['b', '2']);
    expect(await sent(two(), 'a=1&b=2')).toBe(200);
    expect(await sent(two(), 'a=1%0Ab:%202')).toBe(400);
    expect(await sent(two(), 'a:%201%0Ab=2')).toBe(400);
    expect(await sent(signed(['a', '1\nb: 2']), 'a=1%0Ab:%202')).toBe(400);
    for (const code of ['%00', '%01', '%09', '%0D', '%1F', '%7F', '%C2%85', '%C2%9F']) {
      expect([code, await sent(signed(['a', decodeURIComponent(code)]), `a=${code}`)]).toEqual([code, 400]);
      expect([code, await sent(signed([`a${decodeURIComponent(code)}b`, '']), `a${code}b`)]).toEqual([code, 400]);
    }
    expect(await sent(signed(['a', 'b: c']), 'a=b:%20c')).toBe(200);
    expect(await sent(signed(['a', 'b: c']), 'a:%20b=c')).toBe(400);
    expect(await sent(signed(['a', '1']), 'a=1%20')).toBe(400);
    expect(await sent(signed(['a', '']), 'a=%E3%80%80')).toBe(400);
    expect(await sent(signed(['a', '']), 'a')).toBe(200);
  });

  test('when its timestamp differs by more than five minutes', async () => {
    const at = async (offset: number) => (await get({ timestamp: epochSeconds() + offset })).status;
    expect([await at(-280), await at(280)]).toEqual([200, 200]);
    expect([await at(-320), await at(320), await at(-86_400)]).toEqual([401, 401, 401]);
    const said = String(epochSeconds() - 400);
    expect((await get({ headers: { 'X-Timestamp': String(epochSeconds()) }, timestamp: Number(said) })).status).toBe(
      401,
    );
    for (const timestamp of ['', 'now', '1e9', `${epochSeconds()}.5`, `${Date.now()}`, '-1']) {
      expect((await get({ headers: { 'X-Timestamp': timestamp } })).status).toBe(401);
    }
  });

  test('when the headers are incomplete or name different keys', async () => {
    const headers = signHeaders(signer, { method: 'GET', path });
    for (const name of Object.keys(headers)) {
      const rest = Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name));
      expect([name, (await ask(server.url, 'GET', path, { headers: rest })).status]).toEqual([name, 401]);
    }
    const other = (await server.admin.withKey()).credential.accessKey;
    expect((await get({ headers: { 'X-AccessKey': other } })).status).toBe(401);
    expect((await get({ headers: { Authorization: `HMAC-SHA256 ${other}` } })).status).toBe(401);
    expect((await get({}, { ...signer, accessKey: 'EK00000000000000000000' })).status).toBe(401);
  });

  test('with 401 for any operation, so that the response reveals nothing about the key', async () => {
    const forger = { ...signer, secretKey: 'guessed' };
    const paths = ['/v1/apikey/list', '/v1/user/list', '/v1/session', '/v1/device/4000000000000'];
    for (const each of paths) expect((await get({ path: each }, forger)).status).toBe(401);
    expect((await get({ path: '/v1/apikey/list' })).status).toBe(403);
  });
});

describe('a nonce', () => {
  test('is accepted once, on any node and in any notation', async () => {
    const second = await server.addNode();
    const nonce = randomUUID();
    const on = (url: string, spelt: string) => askSigned(url, signer, { method: 'GET', path, nonce: spelt });
    expect((await on(server.url, nonce)).status).toBe(200);
    expect((await on(server.url, nonce)).status).toBe(401);
    expect((await on(second.url, nonce)).status).toBe(401);
    expect((await on(second.url, nonce.toUpperCase())).status).toBe(401);
    expect((await on(second.url, randomUUID())).status).toBe(200);
  });

  test('is accepted for one of several concurrent requests', async () => {
    const second = await server.addNode();
    const headers = signHeaders(signer, { method: 'GET', path });
    const asked = Array.from({ length: 12 }, (_value, index) =>
      ask(index % 2 === 0 ? server.url : second.url, 'GET', path, { headers }),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(11);
  });

  test('is not used up by a request with a wrong signature', async () => {
    const nonce = randomUUID();
    expect((await get({ nonce }, { ...signer, secretKey: 'guessed' })).status).toBe(401);
    expect((await get({ nonce })).status).toBe(200);
  });

  test('is stored for as long as its timestamp is accepted', async () => {
    const nonce = randomUUID();
    const timestamp = epochSeconds() + 200;
    expect((await get({ nonce, timestamp })).status).toBe(200);
    const [row] = await server.db<{ kept: number }[]>`
      select extract(epoch from expiration_date)::int as kept from request_nonces where nonce = ${nonce}`;
    expect(row?.kept).toBeGreaterThanOrEqual(timestamp + 300);
  });

  test('must be a UUID', async () => {
    for (const nonce of ['1', 'x'.repeat(36), `${randomUUID()}0`, `{${randomUUID()}}`, `${randomUUID()} or 1=1`]) {
      expect((await get({ nonce })).status).toBe(401);
    }
  });
});
