import type { Session } from '@earshot/contract/session';
import { createClient } from '@earshot/client/client';
import { signInWithPassword } from '@earshot/client/sign-in';
import { findFreePort } from '@earshot/server/testing/free-port';
import { personPassword } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, basic, cookieBack, cookieSet } from './ask.ts';
import { expiredSession } from './caller.ts';
import { statusOf } from './places.ts';

let server: TestServer;
beforeAll(async () => {
  // As behind a proxy on this machine that terminates TLS.
  server = await startTestServer({ trustProxy: ['127.0.0.1/32'] });
});
afterAll(() => server.stop());

const signIn = (email: string, password: string, headers: Record<string, string> = {}) =>
  ask(server.url, 'POST', '/v1/session', { headers, body: { email, password } });
const whoIs = (cookie: string, url = server.url) => ask(url, 'GET', '/v1/session', { headers: { cookie } });

describe('signing in', () => {
  test('sets a cookie that scripts cannot read and other sites cannot use', async () => {
    const { email, userID } = await server.addPerson();
    const answer = await signIn(email, personPassword);
    expect(answer.json).toMatchObject({ userID, email, role: 'member', current: true });
    const [pair = '', ...flags] = cookieSet(answer).split('; ');
    expect(flags).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Path=/']));
    expect(flags).not.toContain('Secure');
    expect(flags.some((flag) => flag.startsWith('Domain='))).toBe(false);
    expect((await whoIs(pair)).json).toMatchObject({ userID, email, role: 'member', current: true });
  });

  test('sets a Secure cookie over https, which only a trusted proxy can declare', async () => {
    const { email } = await server.addPerson();
    const https = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.5' };
    expect(cookieSet(await signIn(email, personPassword, https)).split('; ')).toContain('Secure');
    const untrusting = await server.addNode({ trustProxy: [] });
    const answer = await ask(untrusting.url, 'POST', '/v1/session', {
      headers: https,
      body: { email, password: personPassword },
    });
    expect(answer.status).toBe(200);
    expect(cookieSet(answer)).not.toContain('Secure');
  });

  test('works with HTTP Basic and no body, for any characters in the password', async () => {
    const [email, password] = ['colon@example.org', 'drei: Äpfel, zwei: Birnen 🍐'];
    await server.admin.session.createUser({ body: { email, password } });
    const answer = await ask(server.url, 'POST', '/v1/session', { headers: basic(email, password) });
    expect(answer).toMatchObject({ status: 200, json: { email } });
    expect((await whoIs(cookieBack(answer))).status).toBe(200);
    expect((await ask(server.url, 'POST', '/v1/session', { headers: basic(email, 'drei') })).status).toBe(401);
    expect((await ask(server.url, 'POST', '/v1/session')).status).toBe(401);
  });

  test('ignores the case of the email, and gives the same error for a wrong password and an unknown person', async () => {
    const { email } = await server.addPerson();
    expect((await signIn(` ${email.toUpperCase()} `, personPassword)).status).toBe(200);
    const [wrong, unknown] = [await signIn(email, 'not the password'), await signIn('who@example.org', personPassword)];
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(wrong.json).toEqual(unknown.json);
    expect(wrong.headers['set-cookie']).toBeUndefined();
  });

  test('email and password are not credentials for other operations, where Basic is an API key', async () => {
    const { email } = await server.addPerson();
    expect((await ask(server.url, 'GET', '/v1/session', { headers: basic(email, personPassword) })).status).toBe(401);
  });
});

describe('with an https public address', () => {
  const publicOrigin = 'https://earshot.example.org';
  let url: string;
  beforeAll(async () => {
    const port = await findFreePort();
    await server.addNode({ publicOrigin, port });
    url = `http://127.0.0.1:${port}`;
  });
  const signInThere = (email: string, headers: Record<string, string> = {}) =>
    ask(url, 'POST', '/v1/session', { headers, body: { email, password: personPassword } });

  test('the cookie is Secure and belongs to this host alone, also behind a proxy that the server does not know', async () => {
    const { email, userID } = await server.addPerson();
    const answer = await signInThere(email, { origin: publicOrigin });
    const [pair = '', ...flags] = cookieSet(answer).split('; ');
    expect(pair).toMatch(/^__Host-earshot_session=/);
    expect(flags).toEqual(expect.arrayContaining(['Secure', 'HttpOnly', 'SameSite=Strict', 'Path=/']));
    expect(flags.some((flag) => flag.startsWith('Domain='))).toBe(false);
    for (const cookie of answer.headers['set-cookie'] ?? []) expect(cookie).toContain('; Secure');
    expect((await whoIs(pair, url)).json).toMatchObject({ userID, current: true });
    const ending = await ask(url, 'DELETE', '/v1/session', { headers: { cookie: pair } });
    expect(cookieSet(ending)).toMatch(/^__Host-earshot_session=; Path=\/; Max-Age=0;.*; Secure$/);
  });

  test('a cookie of the other name, which any neighbouring host could have set, is no session', async () => {
    const { cookie } = await server.addPerson();
    expect((await whoIs(cookie, url)).status).toBe(401);
    expect((await whoIs(`__Host-${cookie}`, url)).status).toBe(200);
  });

  test('a browser that signs in over plain http is told why it cannot, and where it can', async () => {
    const { email, userID } = await server.addPerson();
    const sessions = async () => (await server.db`select 1 from sessions where user_id = ${userID}`).length;
    const before = await sessions();
    const answer = await signInThere(email, { origin: url });
    expect(answer).toMatchObject({ status: 403, json: { detail: expect.stringContaining(publicOrigin) } });
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(await sessions()).toBe(before);
  });

  test('the client signs in and keeps its session', async () => {
    const { email, userID } = await server.addPerson();
    const { credential } = await signInWithPassword({ url }, { email, password: personPassword });
    expect(await createClient({ url, credential: credential! }).getSession()).toMatchObject({ userID });
  });
});

describe('signing in again', () => {
  test('ends the former session of that cookie on every node, and no other', async () => {
    const other = await server.addNode();
    const person = await server.addPerson();
    const elsewhere = cookieBack(await signIn(person.email, personPassword));
    const former = cookieBack(await signIn(person.email, personPassword));
    for (const url of [server.url, other.url]) expect((await whoIs(former, url)).status).toBe(200);
    const again = await signIn(person.email, personPassword, { cookie: former });
    for (const url of [server.url, other.url]) {
      expect((await whoIs(former, url)).status).toBe(401);
      expect((await whoIs(cookieBack(again), url)).status).toBe(200);
      expect((await whoIs(elsewhere, url)).status).toBe(200);
    }
  });

  test('as another person ends it too, and the trail names the person whose session it was', async () => {
    const [first, second] = [await server.addPerson(), await server.addPerson()];
    const { key: sessionID = 0 } = await first.session.getSession();
    expect((await signIn(second.email, personPassword, { cookie: first.cookie })).status).toBe(200);
    expect((await whoIs(first.cookie)).status).toBe(401);
    const entries = await server.db`
      select user_id from audit_entries where action = 'sign-out' and record_key = ${sessionID}`;
    expect(entries).toEqual([{ user_id: first.userID }]);
  });

  test('with a wrong password ends nothing', async () => {
    const { email, cookie } = await server.addPerson();
    expect((await signIn(email, 'not the password', { cookie })).status).toBe(401);
    expect((await whoIs(cookie)).status).toBe(200);
  });
});

describe('a session', () => {
  test('ends when the person signs out, and the cookie is removed', async () => {
    const { cookie } = await server.addPerson();
    const answer = await ask(server.url, 'DELETE', '/v1/session', { headers: { cookie } });
    expect(answer).toMatchObject({ status: 200, text: '' });
    expect(cookieSet(answer)).toMatch(/^earshot_session=;.*Max-Age=0/);
    expect((await whoIs(cookie)).status).toBe(401);
  });

  test('can be listed with its address, and ended, by its person', async () => {
    const person = await server.addPerson();
    const other = await signIn(person.email, personPassword, {
      'user-agent': 'A phone',
      'x-forwarded-for': '203.0.113.9',
    });
    const { key: sessionID = 0 } = other.json as Session;
    const listed = await person.session.listSessions();
    expect(listed).toHaveLength(2);
    expect(listed.find(({ key }) => key === sessionID)).toMatchObject({
      userAgent: 'A phone',
      address: '203.0.113.9',
      current: false,
    });
    expect(listed.filter(({ current }) => current)).toHaveLength(1);

    await person.session.endSession({ params: { sessionID } });
    expect((await whoIs(cookieBack(other))).status).toBe(401);
    expect(await person.session.listSessions()).toHaveLength(1);
    expect(await statusOf(person.session.endSession({ params: { sessionID } }))).toBe(404);
  });

  test('that has expired gets 419, also on another node; an unknown one gets 401', async () => {
    const person = await server.addPerson();
    const { cookie = '' } = await expiredSession(server, person.email, personPassword);
    const second = await server.addNode();
    expect([(await whoIs(cookie)).status, (await whoIs(cookie, second.url)).status]).toEqual([419, 419]);
    expect((await person.session.listSessions()).length).toBe(1);
    for (const unknown of ['earshot_session=', 'earshot_session=x', `earshot_session=${'A'.repeat(43)}`, 'other=1']) {
      expect((await whoIs(unknown)).status).toBe(401);
    }
  });

  test('continues after a change of password in it; the other sessions end', async () => {
    const person = await server.addPerson();
    const other = cookieBack(await signIn(person.email, personPassword));
    const change = (oldPassword: string, newPassword: string) =>
      statusOf(person.session.changePassword({ body: { oldPassword, newPassword } }));
    expect(await change('not the password', 'another fine phrase')).toBe(403);
    expect(await change(personPassword, 'short')).toBe(400);
    expect((await whoIs(other)).status).toBe(200);

    expect(await change(personPassword, 'another fine phrase')).toBe(200);
    expect([(await whoIs(other)).status, (await whoIs(person.cookie)).status]).toEqual([401, 200]);
    expect((await signIn(person.email, personPassword)).status).toBe(401);
    expect((await signIn(person.email, 'another fine phrase')).status).toBe(200);
  });
});

test('a disabled person cannot use sessions and keys or sign in, until enabled again', async () => {
  const person = await server.addPerson();
  const { client, apiKeyID } = await person.withKey();
  const params = { userID: person.userID };
  const statusOfKey = async () => (await server.admin.session.getApiKey({ params: { apiKeyID } })).status;
  const useKey = () => statusOf(client.listDevices({ body: {} }));
  expect([(await whoIs(person.cookie)).status, await useKey(), await statusOfKey()]).toEqual([200, 200, 1]);

  await server.admin.session.updateUser({ params, body: { disabled: true } });
  expect([(await whoIs(person.cookie)).status, await useKey(), await statusOfKey()]).toEqual([401, 401, 0]);
  expect((await signIn(person.email, personPassword)).status).toBe(401);

  await server.admin.session.updateUser({ params, body: { disabled: false } });
  expect([(await whoIs(person.cookie)).status, await useKey(), await statusOfKey()]).toEqual([401, 200, 1]);
  expect((await signIn(person.email, personPassword)).status).toBe(200);
});
