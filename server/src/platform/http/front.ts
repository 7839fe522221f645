import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Refusal } from '../../errors.ts';
import { pathOf, problemOf, problemType, securityHeaders } from './problem.ts';
import { createRequestIds } from './request-id.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Front {
  /** Begins to answer: 503 to everything but `/healthz`, until `open` is called. */
  listen(host: string, port: number): Promise<AddressInfo>;
  open(handler: Handler): void;
  /** Stops accepting, lets what is under way finish, and cuts off what is not done in time. */
  close(withinMs: number): Promise<void>;
}

export interface TimeLimits {
  readonly headersMs: number;
  readonly requestMs: number;
}

const largestHeaderBytes = 16_384;
// Longer than the minute that load balancers usually hold theirs, so that they close first.
const keepAliveMs = 72_000;

/** Owns the listening socket through the life of the process: starting, open, stopping. */
export function createFront({ headersMs, requestMs }: TimeLimits): Front {
  const requestId = createRequestIds();
  let handler: Handler = (request, response) => answerWithoutApp(request, response, 'starting');

  const refuse = (request: IncomingMessage, response: ServerResponse, why: string) => {
    const refusal = new Refusal('unavailable', `The server is ${why}; try again shortly.`);
    response.writeHead(refusal.status, {
      ...securityHeaders,
      'content-type': problemType,
      'retry-after': '1',
      'x-request-id': requestId(request.headers['x-request-id']),
      connection: 'close',
    });
    response.end(JSON.stringify(problemOf(refusal, pathOf(request.url))));
  };

  function answerWithoutApp(request: IncomingMessage, response: ServerResponse, why: 'starting' | 'stopping') {
    if (pathOf(request.url) !== '/healthz') return refuse(request, response, why);
    response.writeHead(200, { ...securityHeaders, 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify({ status: why }));
  }

  const server = createServer(
    {
      maxHeaderSize: largestHeaderBytes,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: Math.min(1_000, headersMs),
    },
    (request, response) => handler(request, response),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    writeProtocolError(error, socket, requestId(undefined));
  });

  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host, port }, () => {
          server.off('error', reject);
          resolve(server.address() as AddressInfo);
        });
      }),
    open(next) {
      handler = next;
    },
    close: (withinMs) =>
      new Promise((resolve) => {
        handler = (request, response) => answerWithoutApp(request, response, 'stopping');
        const cut = setTimeout(() => server.closeAllConnections(), withinMs);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

/** Answers what never became a request: the parser gave up on it, or it came too slowly. */
function writeProtocolError(error: NodeJS.ErrnoException, socket: Socket, id: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const refusal =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? new Refusal('timedOut', 'The request did not arrive in time.')
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? new Refusal('headersTooLarge', `The request line and headers take more than ${largestHeaderBytes} bytes.`)
        : new Refusal('invalid', 'The request is not well-formed HTTP.');
  const body = JSON.stringify(problemOf(refusal, '/'));
  const headers = { ...securityHeaders, 'content-type': problemType, 'x-request-id': id, connection: 'close' };
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? 'Error'}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      `content-length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}
