import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Refusal } from '../../errors.ts';
import { limitArrival } from './arrival.ts';
import { findMessageFault } from './message-faults.ts';
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
const idleSweepMs = 50;
const lastWordMs = 1_000;
/** Node's code for what came too slowly. */
const requestTimeout = 'ERR_HTTP_REQUEST_TIMEOUT';

/** Owns the listening socket through the life of the process: starting, open, stopping. */
export function createFront({ headersMs, requestMs }: TimeLimits): Front {
  const requestId = createRequestIds();
  let handler: Handler = (request, response) => answerWithoutApp(request, response, 'starting');

  const commonHeaders = (request: IncomingMessage) => ({
    ...securityHeaders,
    'x-request-id': requestId(request.headers['x-request-id']),
  });

  function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
    const body = JSON.stringify(problemOf(refusal, pathOf(request.url)));
    response.writeHead(refusal.status, {
      ...commonHeaders(request),
      ...refusal.headers,
      'content-type': problemType,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    });
    response.end(body);
  }

  function answerWithoutApp(request: IncomingMessage, response: ServerResponse, why: 'starting' | 'stopping'): void {
    if (pathOf(request.url) !== '/healthz') {
      const detail = `The server is ${why}; try again shortly.`;
      return refuse(request, response, new Refusal('unavailable', detail, { headers: { 'retry-after': '1' } }));
    }
    response.writeHead(200, { ...commonHeaders(request), 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify({ status: why }));
  }

  function cutOff({ socket }: IncomingMessage, response: ServerResponse): void {
    if (response.headersSent) return void socket.destroy();
    writeProtocolError({ code: requestTimeout }, socket, requestId(undefined));
    setTimeout(() => socket.destroy(), lastWordMs);
  }

  /** Connections on which a message was refused: what follows on them may be part of that message. */
  const refused = new WeakSet<Socket>();

  /** Whatever Node would refuse by itself, without a word, comes through here too. */
  const answer: Handler = (request, response) => {
    if (refused.has(request.socket)) return;
    const fault = findMessageFault(request);
    if (fault) {
      refused.add(request.socket);
      return refuse(request, response, fault);
    }
    limitArrival(request, requestMs, () => cutOff(request, response));
    handler(request, response);
  };

  const server = createServer(
    {
      maxHeaderSize: largestHeaderBytes,
      headersTimeout: headersMs,
      // Node's own limit knows no exception, and uploads need one.
      requestTimeout: 0,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: Math.min(1_000, headersMs),
      requireHostHeader: false,
    },
    answer,
  );
  server.on('checkExpectation', answer);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // The refusal is the last answer on its connection.
    if (!refused.has(socket)) writeProtocolError(error, socket, requestId(undefined));
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
        // A connection that its client keeps becomes idle only when its answer is out.
        const sweep = setInterval(() => server.closeIdleConnections(), idleSweepMs);
        server.close(() => {
          clearTimeout(cut);
          clearInterval(sweep);
          resolve();
        });
      }),
  };
}

/** Answers what never became a request: the parser gave up on it, or it came too slowly. */
function writeProtocolError(error: { readonly code?: string | undefined }, socket: Socket, id: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const refusal =
    error.code === requestTimeout
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
