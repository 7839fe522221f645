import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { platformHeader } from '@earshot/contract/platform-mark';
import { createFront } from '@earshot/server/platform/http/door/front';
import { administer } from '@earshot/server/testing/database';
import { startTestServer } from '@earshot/server/testing/server';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { expectProblem } from './problems.ts';
import type { Answer, Send } from './send.ts';
import { sender } from './send.ts';
import { openSocket, parseAnswer, readToEnd } from './socket.ts';

const limits = { headersMs: 10_000, requestMs: 10_000 };

function expectUnavailable(answer: Answer, instance: string): void {
  expectProblem(answer, 503, instance);
  expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(answer.headers).toMatchObject({
    [platformHeader.toLowerCase()]: '0.0.0-test',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
}

describe('while the server starts', () => {
  test('every request gets 503, except /healthz', async () => {
    const front = createFront(limits, '0.0.0-test');
    const { port } = await front.listen('127.0.0.1', 0);
    onTestFinished(() => front.close(0));
    const send = sender(`http://127.0.0.1:${port}`);
    for (const line of ['GET /readyz', 'POST /v1/session', 'GET /', 'DELETE /v1/agent/5', 'GET /nothing']) {
      expectUnavailable(await send(line), line.split(' ')[1] ?? '');
    }
    const alive = await send('GET /healthz', { headers: { 'x-request-id': 'given' } });
    expect([alive.status, alive.json, alive.type]).toEqual([200, { status: 'starting' }, 'application/json']);
    expect(alive.headers).toMatchObject({
      [platformHeader.toLowerCase()]: '0.0.0-test',
      'x-request-id': 'given',
      'x-content-type-options': 'nosniff',
    });

    front.open((_request, response) => response.end('open'));
    expect((await send('GET /readyz')).text).toBe('open');
  });
});

describe('while the server stops', () => {
  test('running requests are finished, and later ones on the connection get 503', async () => {
    const front = createFront(limits, '0.0.0-test');
    const { port } = await front.listen('127.0.0.1', 0);
    const url = `http://127.0.0.1:${port}`;
    const underWay = new Promise<ServerResponse>((resolve) => {
      front.open((_request, response) => resolve(response));
    });
    const socket = await openSocket(url);
    const said = readToEnd(socket);
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    const response = await underWay;

    const closed = front.close(5_000);
    socket.write('GET /next HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect(sender(url)('GET /healthz')).rejects.toThrow('ECONNREFUSED');
    response.end('finished');
    await closed;

    const [first, second] = (await said)
      .split('HTTP/1.1 ')
      .slice(1)
      .map((text) => parseAnswer(`HTTP/1.1 ${text}`));
    expect([first?.status, first?.body.includes('finished')]).toEqual([200, true]);
    expect([second?.status, second?.headers['retry-after']]).toEqual([503, '1']);
    expect(JSON.parse(second?.body ?? '')).toMatchObject({ status: 503, instance: '/next' });
  });
});

/** Refuses all connections to a database, like a crash of its server; returns a function that permits them again. */
async function shutOut(database: string): Promise<() => Promise<void>> {
  const { url } = inject('postgres');
  await administer(url, `alter database ${database} allow_connections false`);
  await administer(url, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`);
  return () => administer(url, `alter database ${database} allow_connections true`);
}

async function until(send: Send, line: string, status: number): Promise<void> {
  while ((await send(line)).status !== status) await sleep(50);
}

test('without its database the server answers 503, keeps running, and recovers', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const send = sender(server.url, { cookie: server.admin.cookie });
  expect((await send('GET /readyz')).json).toEqual({ status: 'ready' });
  const [row] = await server.db<{ name: string }[]>`select current_database() as name`;

  const letIn = await shutOut(row?.name ?? '');
  onTestFinished(letIn);
  await until(send, 'GET /readyz', 503);
  expectUnavailable(await send('GET /readyz'), '/readyz');
  expectUnavailable(await send('GET /v1/agenttype/list'), '/v1/agenttype/list');
  expectUnavailable(await send('POST /v1/device/list', { json: {} }), '/v1/device/list');
  // Registration too: its string is only for a 400.
  expectUnavailable(await send('POST /v1/agent', { json: { deviceSerial: 'x', agentType: 'Audio' } }), '/v1/agent');
  const signIn = { json: { email: 'a@example.org', password: 'wrong' } };
  expectUnavailable(await sender(server.url)('POST /v1/session', signIn), '/v1/session');
  expect((await send('GET /healthz')).json).toEqual({ status: 'alive' });
  expect((await send('GET /metrics')).status).toBe(200);
  expectProblem(await send('GET /nothing'), 404);

  await letIn();
  await until(send, 'GET /readyz', 200);
  await until(send, 'GET /v1/agenttype/list', 200);
  expect(server.log.lines.filter(({ message }) => message === 'fault')).toEqual([]);
});
