import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Receiver {
  readonly port: number;
  /** The local address of each connection, in order. */
  readonly connections: string[];
  readonly requests: Received[];
  stop(): Promise<void>;
}

type Answer = (request: Received, response: ServerResponse) => void;

/** Binds every address of this machine, so that only the address check prevents a connection. */
export async function startReceiver(answer: Answer): Promise<Receiver> {
  const connections: string[] = [];
  const requests: Received[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const headers = request.headers as Record<string, string>;
    const received = { method: request.method ?? '', path: request.url ?? '', headers, body: await readAll(request) };
    requests.push(received);
    answer(received, response);
  };
  const server = createServer((request, response) => void receive(request, response));
  server.on('connection', ({ localAddress }) => connections.push((localAddress ?? '').replace('::ffff:', '')));
  await new Promise<void>((resolve) => server.listen({ host: '::', port: 0 }, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
