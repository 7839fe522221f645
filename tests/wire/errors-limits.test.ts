import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { expectProblem } from './problems.ts';
import type { Send } from './send.ts';
import { basic, sender } from './send.ts';
import { openSocket, parseAnswer, readToEnd } from './socket.ts';

const largestBody = 1_048_576;

let server: TestServer;
let send: Send;
beforeAll(async () => {
  server = await startTestServer();
  send = sender(server.url, { cookie: server.admin.cookie });
});
afterAll(() => server.stop());

describe('a body', () => {
  const padded = (length: number) => `{${' '.repeat(length - 2)}}`;

  test('of 1 MiB is accepted, one byte more is too large', async () => {
    expect((await send('POST /v1/device/list', { body: padded(largestBody) })).status).toBe(200);
    expectProblem(await send('POST /v1/device/list', { body: padded(largestBody + 1) }), 413, '/v1/device/list');
  });

  test('without a declared length is measured as it arrives', async () => {
    const sendChunked = (body: string) => sendInChunks(server.url, server.admin.cookie, body);
    expect((await sendChunked(padded(largestBody))).status).toBe(200);
    expect((await sendChunked(padded(largestBody + 1))).status).toBe(413);
  });

  test('of an operation without a body is limited too', async () => {
    expectProblem(await send('POST /v1/apikey', { body: padded(largestBody + 1) }), 413);
    expectProblem(await send('DELETE /v1/apikey/999', { body: padded(largestBody + 1) }), 413);
  });

  test('of a request without credentials is not read', async () => {
    const socket = await openSocket(server.url);
    const said = readToEnd(socket);
    // The length is declared and the body never sent: a server that reads the body would not answer.
    socket.write('POST /v1/device/list HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1000000\r\n\r\n');
    expect(parseAnswer(await said).status).toBe(401);
  });
});

async function sendInChunks(url: string, cookie: string, body: string) {
  const socket = await openSocket(url);
  const said = readToEnd(socket);
  const head = 'POST /v1/device/list HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n';
  socket.write(`${head}Cookie: ${cookie}\r\n\r\n`);
  for (let at = 0; at < body.length; at += 65_536) {
    const chunk = body.slice(at, at + 65_536);
    socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  }
  socket.write('0\r\n\r\n');
  return parseAnswer(await said);
}

describe('too many requests', () => {
  async function startLimited(): Promise<TestServer> {
    const limited = await startTestServer({ rateLimit: 10 });
    onTestFinished(() => limited.stop());
    return limited;
  }

  // So many that even a busy machine answers more than ten of them within a second.
  const burst = (ask: () => ReturnType<Send>) => Promise.all(Array.from({ length: 200 }, ask));

  test('of one credential get 429, others do not', async () => {
    const limited = await startLimited();
    const { credential } = await limited.admin.withKey();
    const asKey = sender(limited.url, basic(credential));
    const answers = await burst(() => asKey('GET /v1/agenttype/list'));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(9);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) {
      expectProblem(answer, 429, '/v1/agenttype/list');
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    }
    const asSession = sender(limited.url, { cookie: limited.admin.cookie });
    expect((await asSession('GET /v1/session')).status).toBe(200);
  });

  test('of one address without a valid credential get 429', async () => {
    const limited = await startLimited();
    const known = sender(limited.url, { cookie: limited.admin.cookie });
    expect((await known('GET /v1/session')).status).toBe(200);
    const guesses = await burst(() =>
      sender(limited.url, basic({ accessKey: 'EKnobody', secretKey: 'x' }))('GET /v1/session'),
    );
    const statuses = new Set(guesses.map(({ status }) => status));
    expect(statuses).toEqual(new Set([401, 429]));
    const open = await burst(() => sender(limited.url)('GET /v1/version'));
    expect(open.map(({ status }) => status)).toContain(429);
    // Known callers are not limited by unknown ones at the same address.
    expect((await known('GET /v1/session')).status).toBe(200);
  });

  test('are not limited if the operator sets no limit', async () => {
    const answers = await burst(() => send('GET /v1/agenttype/list'));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('failed attempts to sign in are slowed down, with the seconds to wait', async () => {
    const { email } = await server.addPerson();
    const attempt = () => sender(server.url)('POST /v1/session', { json: { email, password: 'wrong' } });
    for (let failure = 0; failure < 5; failure++) expectProblem(await attempt(), 401);
    const answer = await attempt();
    expectProblem(answer, 429, '/v1/session');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
});
