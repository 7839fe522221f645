import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openSocket, parseAnswer, readToEnd } from '../../../../../tests/wire/socket.ts';
import { tinyWav } from './sound.ts';
import { addFile, announce, finish, offsetOf, putAndBreak, putWhole } from './uploading.ts';

const patience = { interval: 20 };
const sound = tinyWav(30);
const large = new Uint8Array(64 * 1_048_576).fill(7);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ bodyIdleSeconds: 1 });
});
afterAll(() => server.stop());

const pathOf = (url: string) => url.slice(server.url.length);
const head = (url: string, length: number) =>
  `PUT ${pathOf(url)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`;

async function begin(url: string, bytes: Uint8Array, sent: number): Promise<Socket> {
  const socket = await openSocket(url);
  socket.write(head(url, bytes.length));
  socket.write(bytes.subarray(0, sent));
  return socket;
}

test('an upload that stalls gets 408, and can be resumed after the received bytes', async () => {
  const waiting = await announce(server.admin, sound);
  const socket = await begin(waiting.url, sound, 1000);
  expect(parseAnswer(await readToEnd(socket))).toMatchObject({ status: 408 });
  expect(await offsetOf(waiting.url)).toBe(1000);
  const headers = { 'content-range': `bytes 1000-${sound.length - 1}/${sound.length}` };
  expect((await fetch(waiting.url, { method: 'PUT', headers, body: sound.subarray(1000) })).status).toBe(200);
  expect(await finish(server.admin, waiting)).toMatchObject({ fileStatus: 1 });
});

test('a slow upload that keeps sending is accepted', async () => {
  const bytes = tinyWav(0.001);
  const waiting = await announce(server.admin, bytes);
  const socket = await begin(waiting.url, bytes, 0);
  const said = readToEnd(socket);
  for (const byte of bytes.subarray(0, 6)) {
    await sleep(300);
    socket.write(Uint8Array.of(byte));
  }
  socket.write(bytes.subarray(6));
  expect(parseAnswer(await said)).toMatchObject({ status: 200, headers: { 'upload-offset': String(bytes.length) } });
});

test('an upload that disconnects is not an error, and does not block others', async () => {
  const waiting = await announce(server.admin, sound);
  await putAndBreak(waiting.url, sound, { cutAfter: 5000 });
  await vi.waitUntil(async () => (await offsetOf(waiting.url)) === 5000, patience);
  expect((await putWhole(waiting.url, sound)).status).toBe(200);
  expect(server.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
});

test('a refusal before the end of a large body reaches the client', async () => {
  const { url } = await announce(server.admin, large);
  const forged = url.replace(/signature=(.)/, (_, first: string) => `signature=${first === '_' ? 'A' : '_'}`);
  const response = await putWhole(forged, large);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ status: 404 });
});

test('a reader that disconnects or stalls keeps no file open', async () => {
  const file = await addFile(server.admin, large);
  const url = new URL(`/v1/file/${file.key}/content`, server.url);
  const load = () => request(url, { headers: { cookie: server.admin.cookie }, agent: false }).end();
  const readers = [load(), load()];
  await Promise.all(
    readers.map(async (reader) => {
      const [response] = (await once(reader, 'response')) as [IncomingMessage];
      response.on('error', () => {}).pause();
      reader.on('error', () => {});
    }),
  );
  expect(await openFiles()).toHaveLength(2);
  readers[0]?.destroy();
  const records = () =>
    server.log.lines.filter(
      ({ message, fields }) => message === 'request' && 'operation' in fields && fields.operation === 'getFileContent',
    );
  await vi.waitUntil(() => records().length === 2, patience);
  await vi.waitUntil(async () => (await openFiles()).length === 0, patience);
  readers[1]?.destroy();
});

/** The stored files that this process, in which the server runs, has open. */
async function openFiles(): Promise<string[]> {
  const numbers = await readdir('/proc/self/fd');
  const targets = await Promise.all(numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => '')));
  return targets.filter((target) => /earshot-node-\w+\/files\//.test(target));
}
