import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem } from './problems.ts';
import type { Send } from './send.ts';
import { sender } from './send.ts';

let server: SharedServer;
let send: Send;
let anyone: Send;
let member: Send;
beforeAll(async () => {
  server = await sharedTestServer();
  anyone = sender(server.url);
  send = sender(server.url, { cookie: server.admin.cookie });
  member = sender(server.url, { cookie: (await server.addPerson()).cookie });
  await send('POST /v1/device', { json: { deviceSerial: 'taken' } });
});

describe('errors', () => {
  test('400 names every invalid field, and what it must be', async () => {
    const body = { deviceSerial: 'a b', deviceName: '', retentionDays: 'x', autoCaption: 1, timeZone: 'Mars' };
    const problem = expectProblem(await send('POST /v1/device', { json: body }), 400, '/v1/device');
    expect(problem.errors?.map(({ path }) => path).toSorted()).toEqual(Object.keys(body).toSorted());
    for (const { path, message } of problem.errors ?? []) {
      expect(message).toMatch(/^must /);
      expect(problem.detail).toContain(`${path} ${message}`);
    }
    expect(problem.errors).toContainEqual({ path: 'retentionDays', message: 'must be a whole number or null' });
  });

  test('400 names missing fields', async () => {
    const problem = expectProblem(await send('POST /v1/user', { json: {} }), 400);
    expect(problem.errors).toEqual([
      { path: 'email', message: 'is required' },
      { path: 'password', message: 'is required' },
    ]);
    expectProblem(await send('POST /v1/user'), 400);
  });

  test('400 lists a limited number of faults', async () => {
    const patch = Array.from({ length: 100 }, () => ({}));
    const problem = expectProblem(await send('PATCH /v1/agent/1', { json: patch }), 400);
    expect(problem.errors).toHaveLength(20);
    expect(problem.errors?.[19]?.path).toBe('[19]');
  });

  test('401 names the accepted credentials', async () => {
    const answer = await anyone('GET /v1/device/1');
    expectProblem(answer, 401, '/v1/device/1');
    expect(answer.headers['www-authenticate']).toMatch(/^Basic .*HMAC-SHA256 /);
    const wrong = { authorization: `Basic ${btoa('nobody:nothing')}` };
    for (const headers of [
      wrong,
      { authorization: 'Bearer x' },
      { authorization: '' },
      { cookie: 'earshot_session=x' },
    ]) {
      expectProblem(await anyone('GET /v1/device/1', { headers }), 401);
    }
  });

  test('403 for a readable record that may not be changed', async () => {
    expectProblem(await member('POST /v1/user', { json: {} }), 403, '/v1/user');
    expectProblem(await member(`PUT /v1/user/${server.admin.userID}`, { json: { displayName: 'x' } }), 403);
  });

  test('404 for an unknown path, in any form', async () => {
    for (const path of [
      '/v1',
      '/v2/agent',
      '/v1/agents',
      '/v1/agent/5/x',
      '/V1/agent',
      '/favicon.ico',
      '/..%2f',
      '/v1//agent',
    ]) {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS'])
        expectProblem(await send(`${method} ${path}`), 404, path);
    }
    // The body is not validated for an unknown path.
    expectProblem(await send('POST /v1/nothing', { body: 'x', headers: { 'content-type': 'nonsense' } }), 404);
  });

  test('409 for a conflict', async () => {
    expectProblem(await send('POST /v1/device', { json: { deviceSerial: 'taken' } }), 409, '/v1/device');
    expectProblem(await anyone('POST /v1/setup', { json: { token: 'x', email: 'a@b', password: 'long enough' } }), 409);
  });

  test('419 for a web session that has expired', async () => {
    const { cookie, userID } = await server.addPerson();
    await server.db`update sessions set expiration_date = now() - interval '1 second' where user_id = ${userID}`;
    expectProblem(await sender(server.url, { cookie })('GET /v1/session'), 419, '/v1/session');
  });

  test('the instance is the path without the query', async () => {
    const answer = await anyone('GET /v1/device/1?signature=secret&x=%zz');
    expectProblem(answer, 401, '/v1/device/1');
    expect(answer.text).not.toContain('secret');
  });
});

const allowed: Readonly<Record<string, string>> = {
  '/v1/agent': 'POST',
  '/v1/agent/5': 'DELETE, GET, HEAD, PATCH, PUT',
  '/v1/agenttype/list': 'GET, HEAD',
  '/v1/apikey': 'POST',
  '/v1/apikey/5': 'DELETE, GET, HEAD, PUT',
  '/v1/collection': 'POST',
  '/v1/collection/5': 'DELETE, GET, HEAD, PUT',
  '/v1/collection/5/items': 'GET, HEAD, POST',
  '/v1/collectionitem/5': 'DELETE, GET, HEAD, POST',
  '/v1/device': 'POST',
  '/v1/device/5': 'DELETE, GET, HEAD, PUT',
  '/v1/device/5/apikey': 'POST',
  '/v1/device/5/apikey/list': 'GET, HEAD',
  '/v1/session': 'DELETE, GET, HEAD, POST',
  '/v1/session/postbacksecret': 'DELETE, GET, HEAD, POST',
  '/v1/setup': 'POST',
  '/v1/user': 'POST',
  '/v1/user/5/passwordreset': 'POST',
  '/healthz': 'GET, HEAD',
  '/readyz': 'GET, HEAD',
  '/metrics': 'GET, HEAD',
  '/openapi.json': 'GET, HEAD',
  '/api': 'GET, HEAD',
  '/': 'GET, HEAD',
};

describe.each(Object.entries(allowed))('405 at %s', (path, allow) => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'M-SEARCH'];
  const missing = methods.filter((method) => !allow.split(', ').includes(method));

  test(`allows ${allow}, for any caller`, async () => {
    for (const method of missing) {
      const answer = await anyone(`${method} ${path}`);
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, allow]);
      expectProblem(answer, 405, path);
    }
  });
});

describe('HEAD', () => {
  test('returns the same as GET, without a body', async () => {
    for (const path of ['/healthz', '/v1/agenttype/list', '/v1/session', '/openapi.json', '/']) {
      const [get, head] = [await send(`GET ${path}`), await send(`HEAD ${path}`)];
      expect([path, head.status, head.text]).toEqual([path, 200, '']);
      for (const name of ['content-type', 'content-length']) {
        expect([path, name, head.headers[name]]).toEqual([path, name, get.headers[name]]);
      }
    }
    expect((await anyone('HEAD /v1/session')).status).toBe(401);
    expect((await send('HEAD /v1/agent/999')).status).toBe(404);
  });
});
