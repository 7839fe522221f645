import { gzipSync } from 'node:zlib';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem } from './problems.ts';
import type { Send } from './send.ts';
import { sender } from './send.ts';

let server: SharedServer;
let send: Send;
beforeAll(async () => {
  server = await sharedTestServer();
  send = sender(server.url, { cookie: server.admin.cookie });
});

const list = (headers: Record<string, string>, body: string | Uint8Array = '{"count":1}') =>
  send('POST /v1/device/list', { body, headers });

describe('a JSON body is accepted', () => {
  test.each([
    'application/json',
    'text/json',
    'application/problem+json',
    'application/vnd.maker.recorder+json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=us-ascii',
    'text/json; odata=verbose',
  ])('under %s', async (type) => {
    expect((await list({ 'content-type': type })).status).toBe(200);
  });

  test('without a Content-Type, and with an empty one', async () => {
    expect((await list({})).status).toBe(200);
    expect((await list({ 'content-type': '' })).status).toBe(200);
  });

  test('with the identity encoding, and with a byte order mark', async () => {
    expect((await list({ 'content-encoding': 'identity' })).status).toBe(200);
    expect((await list({}, '\uFEFF{}')).status).toBe(200);
  });
});

describe('415', () => {
  test.each([
    'text/plain',
    'text/html',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/jsonx',
    'application/json-patch',
    'json',
    '+json',
    'nonsense',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
  ])('for %s', async (type) => {
    expectProblem(await list({ 'content-type': type }), 415, '/v1/device/list');
  });

  test.each(['gzip', 'br', 'deflate', 'gzip, identity'])('for the encoding %s', async (encoding) => {
    expectProblem(await list({ 'content-encoding': encoding }, gzipSync('{}')), 415);
  });

  test.each([
    'POST /v1/device',
    'PUT /v1/device/1',
    'POST /v1/agent',
    'PUT /v1/agent/1',
    'PATCH /v1/agent/1',
    'POST /v1/agent/list',
    'PUT /v1/apikey/1',
    'POST /v1/collection',
    'PUT /v1/collection/1',
    'POST /v1/collectionitem/1',
    'POST /v1/user',
    'PUT /v1/user/1',
    'POST /v1/session',
    'PUT /v1/session/password',
    'POST /v1/session/passwordreset',
    'POST /v1/setup',
  ])('on %s', async (line) => {
    expectProblem(await send(line, { body: '{}', headers: { 'content-type': 'text/plain' } }), 415);
  });

  test('of any type is ignored by operations without a body', async () => {
    for (const type of ['text/plain', 'nonsense', 'a/b/c', '']) {
      const answer = await send('POST /v1/apikey', { body: 'whatever', headers: { 'content-type': type } });
      expect([type, answer.status]).toEqual([type, 200]);
    }
    expectProblem(await send('DELETE /v1/apikey/999', { body: '{}', headers: { 'content-type': 'nonsense' } }), 404);
  });
});

describe('a body that is not JSON gets 400', () => {
  test.each(['', ' ', '{', '{"a":}', 'nul', "{'a':1}", '[1,]', '{"a":1}{"b":2}', '{"a":01}', '"\t"', '\u00a0{}'])(
    '%j',
    async (body) => {
      expectProblem(await list({}, body), 400);
    },
  );

  test.each(['[]', '"text"', '5', 'null', 'true'])('or of the wrong JSON type: %s', async (body) => {
    expect(expectProblem(await list({}, body), 400).errors).toEqual([{ path: '', message: 'must be an object' }]);
  });

  test('a duplicate key, with or without escapes', async () => {
    for (const body of ['{"count":1,"count":2}', '{"count":1,"\\u0063ount":2}', '{"x":{"a":1,"a":1}}']) {
      expectProblem(await list({}, body), 400);
    }
  });

  test('nesting of more than 32 levels', async () => {
    const nested = (depth: number) => `{"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    expect((await list({}, nested(32))).status).toBe(200);
    expectProblem(await list({}, nested(33)), 400);
    expectProblem(await list({}, `{"x":${'['.repeat(100_000)}`), 400);
  });
});

describe('unknown fields are ignored', () => {
  test('complete records may be sent to every PUT, and nothing changes', async () => {
    const client = server.admin.session;
    const device = await client.createDevice({
      body: { deviceSerial: 'back', deviceDescription: 'x', retentionDays: 4 },
    });
    const agent = await client.registerAgent({ body: { deviceSerial: 'back', agentType: 'Audio', processID: 4 } });
    const collection = await client.createCollection({ body: { collectionName: 'Back', collectionDescription: 'y' } });
    const key = await client.createApiKey();
    const { userID } = await server.addPerson();

    const when = new Set(['lastModifiedDate', 'lastModifiedBy', 'lastHeardFromDate', 'lastAccessDate']);
    const settled = (record: unknown) =>
      Object.fromEntries(Object.entries(record as object).filter(([name]) => !when.has(name)));
    for (const path of [
      `/v1/device/${device.key}`,
      `/v1/agent/${agent.key}`,
      `/v1/collection/${collection.key}`,
      `/v1/apikey/${key.key}`,
      `/v1/user/${userID}`,
    ]) {
      const before = (await send(`GET ${path}`)).json as object;
      const put = await send(`PUT ${path}`, { json: { ...before, aFieldOfTomorrow: { deep: [null] } } });
      expect([path, put.status, put.text]).toEqual([path, 200, '']);
      expect(settled((await send(`GET ${path}`)).json)).toEqual(settled(before));
    }
  });

  test('in a complete record, fields of the platform are ignored', async () => {
    const agent = await server.admin.session.registerAgent({ body: { deviceSerial: 'back', agentType: 'Device' } });
    const foreign = { key: 1, userID: 99, deviceID: 99, agentTypeID: 99, agentIndex: 99, version: 'x', createdBy: 99 };
    expect((await send(`PUT /v1/agent/${agent.key}`, { json: foreign })).status).toBe(200);
    const after = await server.admin.session.getAgent({ params: { agentID: agent.key ?? 0 } });
    const { lastHeardFromDate: _, ...stays } = agent;
    expect(after).toMatchObject(stays);
  });

  test('in every POST', async () => {
    const extra = { key: 5, nonsense: [{}] };
    const requests = {
      'POST /v1/device': { deviceSerial: 'extra' },
      'POST /v1/agent': { deviceSerial: 'extra', agentType: 'Audio' },
      'POST /v1/agent/list': {},
      'POST /v1/device/list': {},
      'POST /v1/device/name': { deviceSerial: 'extra' },
      'POST /v1/collection': { collectionName: 'Extra' },
      'POST /v1/user': { email: 'extra@example.org', password: 'long enough to do' },
    };
    for (const [line, body] of Object.entries(requests)) {
      expect([line, (await send(line, { json: { ...body, ...extra } })).status]).toEqual([line, 200]);
    }
  });
});
