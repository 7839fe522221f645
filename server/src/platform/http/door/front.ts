import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Refusal } from '../../../errors.ts';
import { limitArrival } from './arrival.ts';
import { findMessageFault } from './message-faults.ts';
import { commonHeaders, pathOf, problemOf, problemType } from '../answer/problem.ts';
import { createRequestIds } from './request-id.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Front {
  /** Binds the port. Answers 503 to everything except `/healthz` until `open` is called. */
  listen(host: string, port: number): Promise<AddressInfo>;
  open(handler: Handler): void;
  /** Stops accepting connections, lets running requests finish, and cuts off those that take longer than `withinMs`. */
  close(withinMs: number): Promise<void>;
}

export interface TimeLimits {
  readonly headersMs: number;
  readonly requestMs: number;
}

const largestHeaderBytes = 16_384;
// Longer than the usual 60 s idle timeout of load balancers, so that the load balancer closes first.
const keepAliveMs = 72_000;
/** Connections that come at the same moment, as after an outage; the system may permit fewer (net.core.somaxconn). */
const mostUnaccepted = 8_192;
const idleSweepMs = 50;
const finalWriteMs = 1_000;
/** Node's error code for a request that arrived too slowly. */
const requestTimeout = 'ERR_HTTP_REQUEST_TIMEOUT';

/** Owns the server socket through the life of the process: starting, open, stopping. */
export function createFront({ headersMs, requestMs }: TimeLimits, version: string): Front {
  const requestId = createRequestIds();
  const common = commonHeaders(version);
  let handler: Handler = (request, response) => answerWithoutApp(request, response, 'starting');

  const headersFor = (request?: IncomingMessage) => ({
    ...common,
    'x-request-id': requestId(request?.headers['x-request-id']),
  });

  function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
    const body = JSON.stringify(problemOf(refusal, pathOf(request.url)));
    response.writeHead(refusal.status, {
      ...headersFor(request),
      ...refusal.headers,
      'content-type': problemType,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    });
    response.end(body);
  }

  function answerWithoutApp(request: IncomingMessage, response: ServerResponse, why: 'starting' | 'stopping'): void {
    if (pathOf(request.url) !== '/healthz') {
      const detail = `The server is ${why}; retry in a few seconds.`;
      return refuse(request, response, new Refusal('unavailable', detail, { headers: { 'retry-after': '1' } }));
    }
    response.writeHead(200, { ...headersFor(request), 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify({ status: why }));
  }

  function cutOff({ socket }: IncomingMessage, response: ServerResponse): void {
    if (response.headersSent) return void socket.destroy();
    writeProtocolError({ code: requestTimeout }, socket, headersFor());
    setTimeout(() => socket.destroy(), finalWriteMs);
  }

  /** Connections on which a message was refused: the bytes that follow may be part of that message. */
  const refused = new WeakSet<Socket>();

  /** Also receives the requests that Node would refuse itself without a problem document. */
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
      // Node's request timeout has no exception for single requests, and uploads need one.
      requestTimeout: 0,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: Math.min(1_000, headersMs),
      requireHostHeader: false,
    },
    answer,
  );
  server.on('checkExpectation', answer);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Nothing may be written after the refusal on the same connection.
    if (!refused.has(socket)) writeProtocolError(error, socket, headersFor());
  });

  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host, port, backlog: mostUnaccepted }, () => {
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
        // A keep-alive connection becomes idle only after its response is sent.
        const sweep = setInterval(() => server.closeIdleConnections(), idleSweepMs);
        server.close(() => {
          clearTimeout(cut);
          clearInterval(sweep);
          resolve();
        });
      }),
  };
}

/** Answers a request that the HTTP parser rejected or that arrived too slowly. */
function writeProtocolError(
  error: { readonly code?: string | undefined },
  socket: Socket,
  common: Readonly<Record<string, string>>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const refusal =
    error.code === requestTimeout
      ? new Refusal('timedOut', 'The request did not arrive in time.')
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? new Refusal('headersTooLarge', `The request line and headers are larger than ${largestHeaderBytes} bytes.`)
        : new Refusal('invalid', 'The request is not well-formed HTTP.');
  const body = JSON.stringify(problemOf(refusal, '/'));
  const headers = { ...common, 'content-type': problemType, connection: 'close' };
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
