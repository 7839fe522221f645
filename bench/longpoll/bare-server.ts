// The reference: node:http with a map of waiting requests, which responds to one on request.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

const parked = new Map<string, ServerResponse>();

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { deviceSerial } = (await json(request)) as { deviceSerial: string };
  if (request.url?.endsWith('/longpoll')) return void parked.set(deviceSerial, response);
  const found = '[{"key":1}]';
  parked
    .get(deviceSerial)
    ?.writeHead(200, { 'content-type': 'application/json', 'content-length': found.length })
    .end(found);
  parked.delete(deviceSerial);
  response.writeHead(200, { 'content-length': 2 }).end('{}');
}

const server = createServer((request, response) => void answer(request, response));
server.listen({ port: 0, host: '127.0.0.1', backlog: 2_000 }, () => {
  process.stdout.write(`Bare is ready at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
