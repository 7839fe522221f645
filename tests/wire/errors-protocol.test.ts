import { createFront } from '@earshot/server/platform/http/door/front';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Problem } from './problems.ts';
import { expectProblem } from './problems.ts';
import type { Send } from './send.ts';
import { sender } from './send.ts';
import type { RawAnswer } from './socket.ts';
import { exchange, openSocket, parseAnswer, readToEnd } from './socket.ts';

let server: TestServer;
let send: Send;
beforeAll(async () => {
  server = await startTestServer();
  send = sender(server.url, { cookie: server.admin.cookie });
});
afterAll(() => server.stop());

function expectRawProblem(answer: RawAnswer, status: number): Problem {
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(answer.body)),
    connection: 'close',
    'x-request-id': expect.stringMatching(/./) as string,
  });
  const problem = JSON.parse(answer.body) as Problem;
  expect(problem).toMatchObject({
    type: `/api#error-${status}`,
    status,
    instance: expect.stringMatching(/^\//) as string,
  });
  return problem;
}

const host = 'Host: x\r\n';
const post = `POST /v1/device/list HTTP/1.1\r\n${host}`;
const malformed: Readonly<Record<string, string>> = {
  'no request line': 'NONSENSE\r\n\r\n',
  'an unknown method': `FETCH / HTTP/1.1\r\n${host}\r\n`,
  'TLS on a plain port': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'a header without a colon': `GET / HTTP/1.1\r\n${host}nonsense\r\n\r\n`,
  'a space before the colon': `GET / HTTP/1.1\r\n${host}X : y\r\n\r\n`,
  'NUL in a header': `GET / HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`,
  'a bare line feed in a header': `GET / HTTP/1.1\r\n${host}X: a\rb\r\n\r\n`,
  'a path with bytes beyond ASCII': `GET /\xff HTTP/1.1\r\n${host}\r\n`,
  'two lengths': `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  'a negative length': `${post}Content-Length: -2\r\n\r\n{}`,
  'a length and chunks': `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  'no Host': 'GET /healthz HTTP/1.1\r\n\r\n',
};

describe.each(Object.entries(malformed))('%s', (_name, text) => {
  test('gets 400 as a problem, and the connection is closed', async () => {
    expectRawProblem(await exchange(server.url, Buffer.from(text, 'latin1')), 400);
    expect((await send('GET /readyz')).status).toBe(200);
  });
});

describe('an incomplete body', () => {
  const head = `POST /v1/device/list HTTP/1.1\r\n${host}`;

  test('with an invalid chunk gets 400', async () => {
    const text = `${head}Cookie: ${server.admin.cookie}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\nzz\r\n`;
    expectRawProblem(await exchange(server.url, text), 400);
  });

  test('with a broken connection does not affect others', async () => {
    for (const body of ['{"co', '']) {
      const socket = await openSocket(server.url);
      socket.write(`${head}Cookie: ${server.admin.cookie}\r\nContent-Length: 500\r\n\r\n${body}`);
      socket.destroy();
    }
    expect((await send('GET /readyz')).status).toBe(200);
    expect(server.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('requests that Node would answer itself', () => {
  test('an unknown expectation is ignored', async () => {
    expect((await send('POST /v1/device/list', { json: {}, headers: { expect: 'miracles' } })).status).toBe(200);
  });

  test('Expect: 100-continue is answered', async () => {
    const answer = await exchange(
      server.url,
      `${post}Cookie: ${server.admin.cookie}\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
    );
    expect(answer.status).toBe(100);
    expect(parseAnswer(answer.body).status).toBe(200);
  });

  test('an upgrade request is ignored', async () => {
    const headers = { connection: 'Upgrade', upgrade: 'websocket' };
    expect((await send('GET /healthz', { headers })).status).toBe(200);
  });

  test('HTTP/1.0 needs no Host', async () => {
    expect((await exchange(server.url, 'GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200);
  });

  test('CONNECT is refused, and the server continues', async () => {
    const socket = await openSocket(server.url);
    const said = readToEnd(socket);
    socket.write('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n');
    expect(await said).not.toContain(' 200 ');
    expect((await send('GET /readyz')).status).toBe(200);
  });
});

describe('paths', () => {
  test.each(['%', '%zz', '%4', '%ff', '%c3%28', '%e0%80%af'])('%s is not percent-encoded UTF-8', async (part) => {
    for (const path of [`/${part}`, `/v1/agent/${part}`, `/v1/device/${part}/apikey/list`, `/pages/${part}`]) {
      expectProblem(await send(`GET ${path}`), 400, path);
    }
  });

  test('an encoded digit is a digit, an encoded slash is not a separator', async () => {
    expectProblem(await send('GET /v1/agent/%39%39'), 404);
    expectProblem(await send('GET /v1%2Fagent%2F5'), 404, '/v1%2Fagent%2F5');
    expectProblem(await send('GET /v1/agent/5%2F6'), 400);
  });

  test('may be long', async () => {
    expectProblem(await send(`GET /v1/agent/${'9'.repeat(15_000)}`), 400);
    expectProblem(await send(`GET /${'x'.repeat(15_000)}`), 404);
    expectProblem(await send(`GET ${'/x'.repeat(7_000)}`), 404);
    expect((await send(`GET /healthz?${'x=y&'.repeat(3_500)}`)).status).toBe(200);
  });

  test('may end with a slash', async () => {
    expect((await send('GET /v1/session/')).status).toBe(200);
    const answer = await send('PUT /v1/session/', { json: {} });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'DELETE, GET, HEAD, POST']);
  });
});

describe('431', () => {
  test('for headers over 16 KiB, together or one', async () => {
    const one = `GET / HTTP/1.1\r\n${host}X: ${'x'.repeat(16_384)}\r\n\r\n`;
    const many = `GET / HTTP/1.1\r\n${host}${`X: ${'y'.repeat(100)}\r\n`.repeat(170)}\r\n`;
    const path = `GET /${'x'.repeat(16_384)} HTTP/1.1\r\n${host}\r\n`;
    for (const text of [one, many, path]) expectRawProblem(await exchange(server.url, text), 431);
  });

  test('is not sent for headers just below the limit', async () => {
    const text = `GET /healthz HTTP/1.1\r\n${host}Connection: close\r\nX: ${'x'.repeat(16_000)}\r\n\r\n`;
    expect((await exchange(server.url, text)).status).toBe(200);
  });
});

describe('408', () => {
  async function openImpatientFront(): Promise<string> {
    const front = createFront({ headersMs: 200, requestMs: 400 }, '0.0.0-test');
    const { port } = await front.listen('127.0.0.1', 0);
    onTestFinished(() => front.close(0));
    front.open((request, response) => {
      request.on('error', () => {});
      request.resume().on('end', () => response.end('whole'));
    });
    return `http://127.0.0.1:${port}`;
  }

  test('for headers that do not end', async () => {
    const url = await openImpatientFront();
    expectRawProblem(await exchange(url, `GET / HTTP/1.1\r\n${host}X-Slow: `), 408);
  });

  test('for a body that does not end', async () => {
    const url = await openImpatientFront();
    expectRawProblem(await exchange(url, `POST / HTTP/1.1\r\n${host}Content-Length: 9\r\n\r\nhalf`), 408);
  });

  test('is not sent for a complete request', async () => {
    const url = await openImpatientFront();
    const answer = await exchange(url, `POST / HTTP/1.1\r\n${host}Connection: close\r\nContent-Length: 4\r\n\r\nall.`);
    expect([answer.status, answer.body.includes('whole')]).toEqual([200, true]);
  });
});
