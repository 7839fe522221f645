import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createS3Client } from './s3-client.ts';
import { createS3Objects } from './s3-objects.ts';
import { parseS3Url } from './s3-url.ts';
import { StorageUnavailable } from './storage-error.ts';

/* What becomes of an object whose bytes break off, from a store that does so on request. */

const object = randomBytes(300_000);

/** Sends the requested bytes, or only so many of them before the connection is closed. */
function sendPart({ headers }: IncomingMessage, response: ServerResponse, cutAfter = Infinity): void {
  const [start = 0, last = object.length - 1] = (headers.range?.match(/\d+/g) ?? []).map(Number);
  const part = object.subarray(start, last + 1);
  response.writeHead(headers.range === undefined ? 200 : 206, {
    'content-length': part.length,
    'content-range': `bytes ${start}-${last}/${object.length}`,
    etag: '"object"',
  });
  if (cutAfter >= part.length) return void response.end(part);
  response.write(part.subarray(0, cutAfter), () => setTimeout(() => response.destroy(), 20));
}

type Answer = (request: IncomingMessage, response: ServerResponse, call: number) => void;

async function startStore(answer: Answer) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => answer(request, response, requests.push(request)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const location = parseS3Url(`s3://recordings?endpoint=http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const client = createS3Client({ location, accessKey: 'a', secretKey: 'b', firstDelayMs: 1 });
  return { objects: createS3Objects(client, location), requests };
}

async function readAll(answer: Answer, range?: { start: number; end: number }) {
  const { objects, requests } = await startStore(answer);
  const bytes = await objects.read('sound', range).then((stream) => stream && buffer(stream));
  return { bytes, ranges: requests.map(({ headers }) => headers.range) };
}

test('an answer that breaks off is continued where it broke off, as the same object', async () => {
  const { objects, requests } = await startStore((request, response, call) =>
    sendPart(request, response, call <= 2 ? 100_000 : undefined),
  );
  const stream = await objects.read('sound');
  expect(stream && (await buffer(stream)).equals(object)).toBe(true);
  expect(requests.map(({ headers }) => [headers.range, headers['if-match']])).toEqual([
    [undefined, undefined],
    ['bytes=100000-299999', '"object"'],
    ['bytes=200000-299999', '"object"'],
  ]);
});

test('a range that breaks off is continued too', async () => {
  const cutOnce: Answer = (request, response, call) => sendPart(request, response, call === 1 ? 10 : undefined);
  const { bytes, ranges } = await readAll(cutOnce, { start: 1_000, end: 2_000 });
  expect(bytes?.equals(object.subarray(1_000, 2_000))).toBe(true);
  expect(ranges).toEqual(['bytes=1000-1999', 'bytes=1010-1999']);
});

test('one that breaks off again and again is an error, not a short file', async () => {
  const { objects, requests } = await startStore((request, response) => sendPart(request, response, 5));
  const stream = await objects.read('sound');
  const failure = await (stream && buffer(stream))?.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StorageUnavailable);
  expect(String(failure)).toContain('the connection was closed');
  expect(requests).toHaveLength(4);
});

test('a store that ignores Range is noticed before its bytes are taken for others, and when a node starts', async () => {
  const ignoring: Answer = (request, response) => {
    delete request.headers.range;
    if (request.method === 'GET' && !request.url?.includes('list-type')) sendPart(request, response);
    else response.end('<List/>');
  };
  await expect(readAll(ignoring, { start: 5, end: 10 })).rejects.toThrow(
    /\(bucket recordings\) ignores the header Range/,
  );
  const { objects } = await startStore(ignoring);
  await expect(objects.check('')).rejects.toBeInstanceOf(StorageUnavailable);
});

test('an object that was replaced while it is read is an error', async () => {
  const replaced: Answer = (request, response, call) =>
    call === 1 ? sendPart(request, response, 100) : void response.writeHead(412).end();
  await expect(readAll(replaced)).rejects.toBeInstanceOf(StorageUnavailable);
});

test('a reader that stops early leaves no open answer', async () => {
  let closed = 0;
  const { objects } = await startStore((request, response) => {
    response.on('close', () => (closed += 1));
    response.writeHead(200, { 'content-length': 10 ** 9 });
    response.write(object);
    void request;
  });
  const stream = await objects.read('sound');
  for await (const chunk of stream ?? []) {
    expect((chunk as Buffer).equals(object.subarray(0, (chunk as Buffer).length))).toBe(true);
    break;
  }
  await expect.poll(() => closed).toBe(1);
});
