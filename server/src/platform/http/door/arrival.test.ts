import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Refusal } from '../../../errors.ts';
import { answerBeforeEnd, liftArrivalLimit } from './arrival.ts';
import { BodyStream } from '../read/body-stream.ts';
import { createFront } from './front.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function open(handler: Handler, requestMs = 60_000): Promise<Socket> {
  const front = createFront({ headersMs: 5_000, requestMs }, '0.0.0-test');
  front.open(handler);
  const { port } = await front.listen('127.0.0.1', 0);
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(async () => {
    socket.destroy();
    await front.close(0);
  });
  await once(socket, 'connect');
  return socket;
}

async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

const head = (length: number) => `PUT / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n`;

async function echo(request: IncomingMessage, response: ServerResponse, idleMs: number): Promise<void> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of new BodyStream(request, idleMs).bytes) chunks.push(chunk);
    response.end(Buffer.concat(chunks));
  } catch (error) {
    answerBeforeEnd(request, response);
    response.writeHead((error as Refusal).status).end((error as Refusal).message);
  }
}

test('a body that does not arrive in time gets 408 and the connection is closed, even if single bytes keep arriving', async () => {
  const socket = await open((request) => request.resume(), 300);
  const said = readAll(socket);
  socket.write(head(1000));
  const trickle = setInterval(() => socket.write('x'), 50);
  onTestFinished(() => clearInterval(trickle));
  expect(await said).toMatch(/^HTTP\/1\.1 408 /);
});

test('a body without the time limit may take longer while bytes keep arriving', async () => {
  const socket = await open((request, response) => {
    liftArrivalLimit(request);
    void echo(request, response, 5_000);
  }, 100);
  const said = readAll(socket);
  socket.write(head(6));
  for (const letter of 'listen') {
    await sleep(60);
    socket.write(letter);
  }
  expect(await said).toMatch(/^HTTP\/1\.1 200 .*listen$/s);
});

test('a body that stops arriving gets 408', async () => {
  const socket = await open((request, response) => void echo(request, response, 200));
  const said = readAll(socket);
  socket.write(`${head(6)}lis`);
  expect(await said).toMatch(/^HTTP\/1\.1 408 .*No byte arrived for 0\.2 seconds/s);
});

test('if the client disconnects, the body ends with a refusal after the received bytes', async () => {
  const requests: IncomingMessage[] = [];
  const socket = await open((request) => requests.push(request));
  socket.write(`${head(6)}lis`);
  await vi.waitUntil(() => requests.length === 1);
  const body = new BodyStream(requests[0]!, 5_000);
  const chunks = body.bytes[Symbol.asyncIterator]();
  expect(Buffer.from((await chunks.next()).value as Uint8Array).toString()).toBe('lis');
  socket.destroy();
  await expect(chunks.next()).rejects.toBeInstanceOf(Refusal);
  expect(body.signal.reason).toBeInstanceOf(Refusal);
});

test('the body is read only as fast as the handler consumes it', async () => {
  let received: BodyStream | undefined;
  const socket = await open((request) => {
    received = new BodyStream(request, 5_000);
  });
  socket.write(head(1_000_000_000));
  const piece = Buffer.alloc(1_048_576);
  let sent = 0;
  // Until the connection accepts no more bytes: the buffers of both sides are full.
  for (; socket.write(piece) || (await drained(socket)); sent++) if (sent > 100) break;
  expect(received).toBeDefined();
  expect(sent).toBeLessThan(100);
});

async function drained(socket: Socket): Promise<boolean> {
  return Promise.race([once(socket, 'drain').then(() => true), sleep(300, false)]);
}

test.each(['close', 'keep-alive'])(
  'a response before the end of a large body reaches the client (%s)',
  async (connection) => {
    const socket = await open((request, response) => {
      answerBeforeEnd(request, response);
      response.writeHead(403).end('no');
    });
    const said = readAll(socket);
    socket.write(head(4 * 1_048_576).replace('connection: close', `connection: ${connection}`));
    // Reads the response only after sending everything, as simple clients do.
    socket.pause();
    for (let piece = 0; piece < 4; piece++) {
      if (!socket.write(Buffer.alloc(1_048_576))) await once(socket, 'drain');
    }
    socket.resume();
    if (connection === 'keep-alive') socket.end();
    expect(await said).toMatch(/^HTTP\/1\.1 403 .*\r\nno\r\n/s);
  },
);

test('responses before the end of a body leave no listeners on a kept-alive connection', async () => {
  const listeners: number[] = [];
  const socket = await open((request, response) => {
    listeners.push(request.socket.listenerCount('close'));
    answerBeforeEnd(request, response);
    response.writeHead(413, { 'content-length': 0 }).end();
  });
  for (let request = 0; request < 4; request++) {
    const answered = once(socket, 'data');
    socket.write('PUT / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n');
    expect(String(await answered)).toMatch(/^HTTP\/1\.1 413 /);
    socket.write('0123456789');
    await sleep(100);
  }
  expect(listeners).toEqual(Array.from({ length: 4 }, () => listeners[0]));
});
