import { platformHeader } from '@earshot/contract/platform-mark';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Send } from './send.ts';
import { sender } from './send.ts';
import { exchange } from './socket.ts';

let server: SharedServer;
let send: Send;
beforeAll(async () => {
  server = await sharedTestServer();
  send = sender(server.url, { cookie: server.admin.cookie });
});

/** The mark of the server, with its version, and the security headers. */
const common = {
  [platformHeader.toLowerCase()]: '0.0.0-test',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};
const ofTheApi = {
  ...common,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** One response of every kind, by its cause. */
const everyKind: Readonly<Record<string, () => Promise<Pick<Answer, 'status' | 'headers'>>>> = {
  success: () => send('GET /v1/session'),
  'success without a body': () => send('PUT /v1/user/1', { json: {} }),
  'no credentials': () => sender(server.url)('GET /v1/session'),
  'an invalid body': () => send('POST /v1/device', { json: {} }),
  'a string as an error': () => send('POST /v1/agent', { json: {} }),
  'an unknown record': () => send('GET /v1/agent/999'),
  'an unknown path': () => send('GET /nothing'),
  'a wrong method': () => send('OPTIONS /v1/agent'),
  'a wrong content type': () => send('POST /v1/device', { body: 'x', headers: { 'content-type': 'text/plain' } }),
  'nothing acceptable': () => send('GET /v1/session', { headers: { accept: 'image/png' } }),
  'too large a body': () => send('POST /v1/device', { body: 'x'.repeat(1_048_577) }),
  'a path that is not valid': () => send('GET /v1/agent/%zz'),
  HEAD: () => send('HEAD /v1/session'),
  'OPTIONS of tus': () => send('OPTIONS /v1/upload'),
  'HEAD of an unknown upload': () => send('HEAD /v1/upload/999'),
  'the live stream': () => send('GET /v1/live', { headers: { accept: 'text/event-stream' } }),
  'a gateway': () => send('POST /api/call-upload', { headers: { 'content-type': 'multipart/form-data; boundary=x' } }),
  'an unknown program': () => send(`GET /install/agent/${'0'.repeat(64)}.mjs`),
  metrics: () => send('GET /metrics'),
  'no HTTP': () => exchange(server.url, 'NONSENSE\r\n\r\n'),
  'no Host': () => exchange(server.url, 'GET /healthz HTTP/1.1\r\n\r\n'),
  'too large headers': () => exchange(server.url, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
};

describe.each(Object.entries(everyKind))('an answer to %s', (_kind, ask) => {
  test('has the mark of the server, a request id and the security headers', async () => {
    const { headers } = await ask();
    expect(headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
    expect(headers).toMatchObject(ofTheApi);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
  });
});

describe('pages', () => {
  test.each(['/', '/api', '/docs/', '/docs/operating', '/setup', '/reset', '/pages/style.css'])(
    '%s has a content security policy for own content only',
    async (path) => {
      const { status, headers } = await send(`GET ${path}`);
      expect(status).toBe(200);
      expect(headers).toMatchObject(common);
      expect(headers['x-request-id']).toMatch(/./);
      const policy = String(headers['content-security-policy']);
      for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
        expect(policy).toContain(part);
      }
      expect(policy).not.toContain('unsafe');
    },
  );
});

describe('the console', () => {
  const opening = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

  test.each(['/devices', '/devices/12', '/whatever/there/is'])('is sent to a browser that opens %s', async (path) => {
    const { status, headers, text } = await send(`GET ${path}`, opening);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ ...common, 'cache-control': 'no-cache' });
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(String(headers['content-security-policy'])).toContain("default-src 'none'");
    expect(text).toContain('<div id="app">');
  });

  test.each(['/devices', '/devices/12'])('is not sent to a program that requests %s', async (path) => {
    expect((await send(`GET ${path}`)).status).toBe(404);
    expect((await send(`POST ${path}`, opening)).status).toBe(404);
  });

  test.each(['/v1', '/v1/nothing', '/v1/device', '/assets/main-OLD.js', '/pages/nothing.js'])(
    'is never sent for %s',
    async (path) => {
      const { status, headers } = await send(`GET ${path}`, opening);
      expect([404, 405]).toContain(status);
      expect(headers['content-type']).toContain('application/problem+json');
    },
  );

  test('sends its assets compressed and cacheable as immutable', async () => {
    const page = await send('GET /');
    const path = /src="(\/assets\/main-[^"]+)"/.exec(page.text)?.[1] ?? '';
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', undefined],
    ] as const) {
      const { status, headers } = await send(`GET ${path}`, { headers: { 'accept-encoding': accepted } });
      expect([status, headers['content-encoding'], headers['vary']]).toEqual([200, encoding, 'accept-encoding']);
      expect(headers['cache-control']).toContain('immutable');
    }
  });
});

describe('X-Request-Id', () => {
  const idOf = async (given?: string) =>
    (await send('GET /healthz', given === undefined ? {} : { headers: { 'x-request-id': given } })).headers[
      'x-request-id'
    ];

  test('is accepted from a proxy, and logged', async () => {
    expect(await idOf('proxy-17.a_B')).toBe('proxy-17.a_B');
    const logged = server.log.lines.map(({ fields }) => (fields as { requestID?: string }).requestID);
    expect(logged).toContain('proxy-17.a_B');
  });

  test('is replaced if it is not safe to log', async () => {
    for (const given of ['', ' ', 'a b', 'a"b', '<x>', 'x'.repeat(65), 'a,b']) {
      const id = await idOf(given);
      expect(id).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
    }
  });

  test('is unique', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, () => idOf()));
    expect(new Set(ids).size).toBe(50);
  });
});
