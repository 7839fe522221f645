import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/**
 * How an object store fails: `errors` answers 503 SlowDown or 500, `cut` ends answers and uploads in the middle, `silent`
 * answers nothing, `slow` waits before each answer.
 */
export type StoreState = 'open' | 'errors' | 'cut' | 'silent' | 'slow';

export interface StoreProxy {
  readonly endpoint: string;
  set(state: StoreState): void;
}

const slowMs = 400;
const errorXml = (code: string) => `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`;

/** The way to an S3 store. Signatures stay valid: the store is told the name by which the client knows the proxy. */
export async function startStoreProxy(target: string): Promise<StoreProxy> {
  const { hostname, port } = new URL(target);
  let state: StoreState = 'open';
  let turn = 0;

  const passOn = (incoming: IncomingMessage, outgoing: ServerResponse, isCut: boolean) => {
    const { method, url, headers } = incoming;
    const onward = request({ host: hostname, port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      if (!isCut) return void answer.pipe(outgoing);
      // A part of the body, then nothing: the length in the headers says that more should come.
      answer.once('data', (chunk: Buffer) => {
        outgoing.write(chunk.subarray(0, chunk.length >> 1));
        setImmediate(() => outgoing.destroy());
        answer.destroy();
      });
      answer.once('end', () => outgoing.end());
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  };
  const server = createServer((incoming, outgoing) => {
    turn += 1;
    incoming.on('error', () => {});
    if (state === 'silent') return;
    if (state === 'errors') {
      const isBusy = turn % 2 === 0;
      incoming.resume();
      outgoing.writeHead(isBusy ? 503 : 500, { 'content-type': 'application/xml' });
      return void outgoing.end(errorXml(isBusy ? 'SlowDown' : 'InternalError'));
    }
    if (state !== 'slow') return passOn(incoming, outgoing, state === 'cut' && turn % 2 === 0);
    void sleep(slowMs).then(() => passOn(incoming, outgoing, false));
  });
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    outgoing.writeContinue();
    server.emit('request', incoming, outgoing);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set(next) {
      if (state === 'silent') server.closeAllConnections();
      state = next;
    },
  };
}
