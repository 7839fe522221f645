import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { operation } from '@earshot/contract/operation';
import { createValidator } from '@earshot/contract/validation';
import { expect, onTestFinished, test } from 'vitest';
import { Refusal } from '../../../errors.ts';
import { silentLog } from '../../../testing/log.ts';
import { createHttpApp } from '../http-app.ts';
import type { ReceivedBytes } from './body-stream.ts';
import { createFront } from '../door/front.ts';
import { createMetrics } from '../door/metrics.ts';
import { createRateLimit } from '../door/rate-limit.ts';
import { receiveBytes } from './receive-bytes.ts';

const upload = operation('file', {
  method: 'PUT',
  path: '/upload',
  summary: 'Takes bytes',
  access: 'anyone',
  acts: [],
  bytes: 'received',
  trail: 'It stores nothing.',
});

/** A server with one operation. Other bodies must arrive within a fifth of a second. */
async function serveUpload(handle: (body: ReceivedBytes) => Promise<unknown>): Promise<string> {
  const http = createHttpApp({
    version: '0.0.0-test',
    log: silentLog,
    metrics: createMetrics(),
    rateLimit: createRateLimit(0),
    authenticator: {
      carriesSession: () => false,
      identify() {
        throw new Error('no credential is checked here');
      },
    },
    trustProxy: [],
    publicOrigin: undefined,
    bodyIdleMs: 2_000,
    answerOnce: () => Promise.reject(new Error('no request has a key here')),
    afterChange: () => {},
    noteFailure: () => false,
    validator: createValidator(),
    operations: [['upload', upload]],
  });
  receiveBytes(http, upload, (_call, body) => handle(body));
  await http.fastify.ready();
  const front = createFront({ headersMs: 1_000, requestMs: 200 }, '0.0.0-test');
  front.open(http.receive);
  const { port } = await front.listen('127.0.0.1', 0);
  onTestFinished(() => front.close(0));
  return `http://127.0.0.1:${port}/upload`;
}

async function count({ bytes }: ReceivedBytes): Promise<number> {
  let size = 0;
  for await (const chunk of bytes) size += chunk.length;
  return size;
}

async function sendSlowly(url: string, letters: string): Promise<number> {
  const put = request(url, { method: 'PUT', agent: false });
  const answered = once(put, 'response') as Promise<[IncomingMessage]>;
  for (const letter of letters) {
    put.write(letter);
    await sleep(100);
  }
  put.end();
  const [response] = await answered;
  await text(response);
  return response.statusCode ?? 0;
}

test('a byte body may take longer than other requests', async () => {
  const sizes: number[] = [];
  const url = await serveUpload(async (body) => sizes.push(await count(body)));
  expect(await sendSlowly(url, 'listening')).toBe(200);
  expect(sizes).toEqual([9]);
});

test('it may be larger than other bodies, and gives its length if it is known', async () => {
  const lengths: (number | undefined)[] = [];
  const url = await serveUpload(async (body) => lengths.push(body.length, await count(body)));
  const bytes = new Uint8Array(5 * 1_048_576);
  expect((await fetch(url, { method: 'PUT', body: bytes })).status).toBe(200);
  expect((await fetch(url, { method: 'PUT' })).status).toBe(200);
  expect(lengths).toEqual([bytes.length, bytes.length, 0, 0]);
});

test('a compressed body is refused, because bytes are stored as sent', async () => {
  const url = await serveUpload(count);
  const refused = await fetch(url, { method: 'PUT', headers: { 'content-encoding': 'gzip' }, body: 'x' });
  expect(refused.status).toBe(415);
  expect((await fetch(url, { method: 'PUT', headers: { 'content-encoding': 'identity' }, body: 'x' })).status).toBe(
    200,
  );
});

test('a handler that does not read the whole body can still respond', async () => {
  const url = await serveUpload(async () => {});
  const bytes = new Uint8Array(3 * 1_048_576);
  for (let round = 0; round < 3; round++) expect((await fetch(url, { method: 'PUT', body: bytes })).status).toBe(200);
});

test('a refusal is sent at once, and only a limited amount of the remaining body is read', async () => {
  const url = await serveUpload(async () => {
    throw new Refusal('forbidden', 'No.');
  });
  const [piece, pieces] = [Buffer.alloc(1_048_576), 100];
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const put = request(url, { method: 'PUT', headers: { 'content-length': piece.length * pieces }, agent });
  put.on('error', () => {});
  const answered = once(put, 'response') as Promise<[IncomingMessage]>;
  let sent = 0;
  const closed = new Promise((resolve) => put.once('close', resolve));
  const sendOn = (fault?: Error | null): void => {
    if (fault || sent === pieces) return;
    put.write(piece, sendOn);
    sent += 1;
  };
  sendOn();
  const [response] = await answered;
  response.on('error', () => {});
  expect(response.statusCode).toBe(403);
  await closed;
  expect(sent).toBeLessThan(pieces);
});
