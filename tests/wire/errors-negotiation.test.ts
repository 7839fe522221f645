import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem } from './problems.ts';
import type { Send } from './send.ts';
import { sender } from './send.ts';

let server: SharedServer;
let send: Send;
let agentPath: string;
beforeAll(async () => {
  server = await sharedTestServer();
  send = sender(server.url, { cookie: server.admin.cookie });
  await server.admin.session.createDevice({ body: { deviceSerial: 'media', deviceName: 'Twin' } });
  await server.admin.session.createDevice({ body: { deviceSerial: 'other', deviceName: 'Twin' } });
  const agent = await server.admin.session.registerAgent({ body: { deviceSerial: 'media', agentType: 'Audio' } });
  agentPath = `/v1/agent/${agent.key}`;
});

const choices: readonly (readonly [accept: string | undefined, type: string])[] = [
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['APPLICATION/JSON', 'application/json'],
  ['application/*', 'application/json'],
  ['text/json', 'text/json'],
  ['text/plain', 'text/plain'],
  ['text/plain; charset=utf-8', 'text/plain'],
  ['text/*', 'text/json'],
  ['text/plain, application/json', 'application/json'],
  ['text/plain, application/json;q=0.9', 'text/plain'],
  ['text/plain;q=0.5, text/json;q=0.8, application/json;q=0.1', 'text/json'],
  ['application/json;q=0, */*', 'text/json'],
  ['application/json;q=0, text/json;q=0.0, */*;q=0.1', 'text/plain'],
  ['text/html, application/xhtml+xml, */*;q=0.8', 'application/json'],
  ['image/png, text/plain;q=0.2', 'text/plain'],
  ['*/*;q=0.1, text/plain ; q=0.3', 'text/plain'],
];

const accepting = (accept: string | undefined): { headers: Record<string, string> } => ({
  headers: accept === undefined ? {} : { accept },
});

describe.each(choices)('Accept: %s', (accept, type) => {
  test(`gets ${type} from every operation that returns an agent`, async () => {
    const headers = accepting(accept);
    const answers = [
      await send(`GET ${agentPath}`, headers),
      await send('POST /v1/agent', { json: { deviceSerial: 'media', agentType: 'Audio' }, ...headers }),
      await send(`PATCH ${agentPath}`, { json: [], ...headers }),
      await send('POST /v1/agent/list', { json: {}, ...headers }),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.headers['content-type']]).toEqual([200, `${type}; charset=utf-8`]);
      // The same JSON text for each type.
      expect(JSON.stringify(answer.json)).toBe(answer.text);
      expect([answer.json].flat()[0]).toMatchObject({ agentTypeID: 2 });
    }
  });
});

describe('406', () => {
  test.each([
    'image/png',
    'application/xml',
    'text/html',
    'application/json;q=0',
    '*/*;q=0',
    'application/problem+json',
    'nonsense',
  ])('for Accept: %s, as a problem', async (accept) => {
    for (const line of [`GET ${agentPath}`, 'GET /v1/session', 'GET /healthz', 'DELETE /v1/apikey/5']) {
      expectProblem(await send(line, accepting(accept)), 406, line.split(' ')[1]);
    }
  });

  test('for text from an operation that has only JSON, and the other way round', async () => {
    expectProblem(await send('GET /v1/session', accepting('text/plain')), 406);
    expectProblem(await send('GET /metrics', accepting('application/json')), 406);
    const prometheus = 'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1';
    const metrics = await send('GET /metrics', accepting(prometheus));
    expect([metrics.status, metrics.type]).toEqual([200, 'text/plain']);
  });

  test('before anything is done', async () => {
    const before = await server.db`select count(*)::int as count from api_keys`;
    expectProblem(await send('POST /v1/apikey', accepting('text/html')), 406);
    expect(await server.db`select count(*)::int as count from api_keys`).toEqual(before);
  });

  test('errors are problems for any Accept header', async () => {
    expectProblem(await send('GET /v1/agent/999', accepting('text/plain')), 404);
    expectProblem(await send('GET /nothing', accepting('text/plain')), 404);
  });
});

const refusedRegistrations: Readonly<Record<string, readonly [body: object | string, saying: string]>> = {
  'an unknown serial': [{ deviceSerial: 'nobody', agentType: 'Audio' }, 'nobody'],
  'an unknown name': [{ deviceName: 'Nobody', agentType: 'Audio' }, 'Nobody'],
  'an ambiguous name': [{ deviceName: 'Twin', agentType: 'Audio' }, 'Several devices are named Twin'],
  'an unknown agent type': [{ deviceSerial: 'media', agentType: 'Gardener' }, 'Gardener'],
  'neither name nor serial': [{ agentType: 'Audio' }, 'deviceSerial or deviceName'],
  'both empty': [{ deviceSerial: '', deviceName: '', agentType: 'Audio' }, 'deviceSerial or deviceName'],
  'no agent type': [{ deviceSerial: 'media' }, 'agentType'],
  'an invalid field': [{ deviceSerial: 'media', agentType: 'Audio', processID: 'x' }, 'processID'],
  'no JSON': ['{', 'JSON'],
  'no body': ['', 'body'],
  'a list': ['[]', 'object'],
};

describe.each(Object.entries(refusedRegistrations))('a registration with %s', (_name, [body, saying]) => {
  const register = (accept?: string) =>
    send('POST /v1/agent', { body: typeof body === 'string' ? body : JSON.stringify(body), ...accepting(accept) });

  test('gets 400 with a JSON string that names the fault', async () => {
    for (const [accept, type] of [
      [undefined, 'application/json'],
      ['text/json', 'text/json'],
    ] as const) {
      const answer = await register(accept);
      expect([answer.status, answer.headers['content-type']]).toEqual([400, `${type}; charset=utf-8`]);
      expect(answer.json).toEqual(expect.stringContaining(saying));
    }
  });

  test('or with the plain text if the caller accepts text/plain', async () => {
    const [plain, json] = [await register('text/plain'), await register()];
    expect([plain.status, plain.headers['content-type']]).toEqual([400, 'text/plain; charset=utf-8']);
    expect(plain.text).toBe(json.json);
  });
});

test('other errors of a registration are problems', async () => {
  const body = { json: { deviceSerial: 'media', agentType: 'Audio' } };
  expectProblem(await sender(server.url)('POST /v1/agent', body), 401);
  expectProblem(await send('POST /v1/agent', { ...body, ...accepting('image/png') }), 406);
  expectProblem(await send('POST /v1/agent', { body: 'x'.repeat(1_048_577) }), 413);
  expectProblem(await send('POST /v1/agent', { body: '{}', headers: { 'content-type': 'text/plain' } }), 415);
});
