import type { Person } from '@earshot/server/testing/person';
import { personPassword } from '@earshot/server/testing/person';
import type { SharedServer } from '@earshot/server/testing/server';
import { adminEmail, adminPassword } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, describe, expect, test } from 'vitest';
import { ask, basic } from './ask.ts';

let server: SharedServer;
let person: Person;
let own: string;
beforeAll(async () => {
  server = await sharedTestServer();
  person = await server.addPerson();
  own = new URL(server.url).origin;
});

type Headers = Record<string, string>;
const readDevices = (headers: Headers) => ask(server.url, 'POST', '/v1/device/list', { headers, body: {} });
const signIn = (headers: Headers) =>
  ask(server.url, 'POST', '/v1/session', { headers, body: { email: person.email, password: personPassword } });
// The installation is set up, so a request that is not refused gets 409.
const setUp = (headers: Headers) =>
  ask(server.url, 'POST', '/v1/setup', {
    headers,
    body: { token: 'x', email: 'late@example.org', password: 'a long password' },
  });

const elsewhere: readonly Headers[] = [
  { origin: 'https://elsewhere.example' },
  { origin: 'http://127.0.0.1:1' },
  { origin: 'null' },
  { origin: 'nonsense' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none', origin: 'https://elsewhere.example' },
];
const atHome = (): readonly Headers[] => [
  {},
  { origin: own },
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': 'same-origin', origin: own },
];

describe('a request from another origin', () => {
  test.each(elsewhere)('is refused with a session, for sign-in and for set-up: %o', async (headers) => {
    expect((await readDevices({ cookie: person.cookie, ...headers })).status).toBe(403);
    expect(
      (await ask(server.url, 'GET', '/v1/session', { headers: { cookie: person.cookie, ...headers } })).status,
    ).toBe(403);
    const signedIn = await signIn(headers);
    expect([signedIn.status, signedIn.headers['set-cookie']]).toEqual([403, undefined]);
    expect((await setUp(headers)).status).toBe(403);
  });

  test.each(elsewhere)('is accepted with an API key and without a cookie: %o', async (headers) => {
    const { credential } = await person.withKey();
    const key = basic(credential.accessKey, credential.secretKey);
    expect((await readDevices({ ...key, ...headers })).status).toBe(200);
    expect((await readDevices({ ...key, cookie: person.cookie, ...headers })).status).toBe(403);
  });
});

test('a request from the same origin or without an origin is accepted', async () => {
  for (const headers of atHome()) {
    expect((await readDevices({ cookie: person.cookie, ...headers })).status).toBe(200);
    expect((await signIn(headers)).status).toBe(200);
    expect((await setUp(headers)).status).toBe(409);
  }
});

test('a sign-out from another site is refused', async () => {
  const { cookie } = await server.addPerson();
  const asked = { headers: { cookie, 'sec-fetch-site': 'cross-site' } };
  expect((await ask(server.url, 'DELETE', '/v1/session', asked)).status).toBe(403);
  expect((await ask(server.url, 'GET', '/v1/session', { headers: { cookie } })).status).toBe(200);
});

describe('a 401', () => {
  const challengeOf = async (headers: Headers, target = '/v1/session') =>
    (await ask(server.url, 'GET', target, { headers })).headers['www-authenticate'] ?? '';

  test('offers Basic to programs, and to people who open the address', async () => {
    for (const headers of [{}, basic('EKNOBODY', 'x'), { 'sec-fetch-mode': 'navigate' }] as Headers[]) {
      expect(await challengeOf(headers)).toMatch(/\bBasic realm=/);
    }
  });

  test("does not offer Basic to a browser's fetch, because the browser would show a dialog", async () => {
    for (const mode of ['cors', 'same-origin', 'no-cors']) {
      const challenge = await challengeOf({ 'sec-fetch-mode': mode, 'sec-fetch-site': 'same-origin' });
      expect(challenge).not.toBe('');
      expect(challenge).not.toMatch(/basic/i);
    }
    const headers = { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' };
    const wrong = await ask(server.url, 'POST', '/v1/session', {
      headers,
      body: { email: adminEmail, password: `not ${adminPassword}` },
    });
    expect(wrong.status).toBe(401);
    expect(wrong.headers['www-authenticate'] ?? '').not.toMatch(/basic/i);
  });
});
