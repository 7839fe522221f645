import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@earshot/client/client';
import { onTestFinished } from 'vitest';
import { connectPlatform } from '../connection/connection.ts';

export const mark = { 'earshot-server': '1.0.0', 'content-type': 'application/json' };
export const limitsOf = (ms: number) => ({ answerMs: ms, probeMs: ms, stalledMs: ms, storedMs: ms });
export const secretKey = 'the secret';

export interface Received {
  readonly request: IncomingMessage;
  readonly body: Buffer;
}

/** A server that answers as the test says, and a connection to it. */
export async function connect(
  answer: (received: Received, response: ServerResponse) => void,
  { bytesPerSecond = 0, isMarking = true, isFull = false, cutAfterBytes = Infinity } = {},
) {
  const received: Received[] = [];
  const limits = limitsOf(60_000);
  const http = createServer((request, response) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    request.on('data', (piece: Buffer) => {
      pieces.push(piece);
      // A link that breaks.
      if ((bytes += piece.length) > cutAfterBytes) request.socket.destroy();
    });
    request.on('end', () => {
      const one = { request, body: Buffer.concat(pieces) };
      received.push(one);
      answer(one, response);
    });
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const server = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const setMarking = async () => {
    isMarking = true;
    if (isFull) throw new Error('no space left on device');
  };
  const trust = { isMarking: () => isMarking, setMarking, isProving: () => false, setProving: async () => {} };
  const connection = connectPlatform({
    server,
    accessKey: 'EK1',
    secretKey,
    trust,
    bytesPerSecond: () => bytesPerSecond,
    limits,
  });
  const sendSound = (size: number) =>
    connection.fetch(`${server}/v1/upload/1`, { method: 'PATCH', body: new Blob([new Uint8Array(size)]) });
  return { server, connection, received, sendSound, client: createClient(connection.options), limits };
}

export const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

export const versionOr =
  (answer: (received: Received, response: ServerResponse) => void) => (received: Received, response: ServerResponse) =>
    received.request.url === '/v1/version'
      ? response.writeHead(200, mark).end('{"Version":"1.0.0"}')
      : answer(received, response);
