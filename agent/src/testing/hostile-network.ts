import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers instead of the platform. */
export type Portal = (incoming: IncomingMessage, response: ServerResponse) => void;

/**
 * The way to a platform over plain http, with whatever may stand on it. Everything passes until a portal is put up, or
 * the answers are changed; what was sent to the portal is counted.
 */
export async function createHostileNetwork(platformUrl: string) {
  const seen = { count: 0, requests: [] as string[], vainBytes: 0, authorizations: new Set<string>(), proofs: 0 };
  let portal: Portal | undefined;
  let isOlder = false;

  const http = createServer((incoming, response) => {
    seen.count += 1;
    seen.authorizations.add((incoming.headers.authorization ?? 'none').split(' ')[0] ?? '');
    if (portal) {
      seen.requests.push(`${incoming.method} ${incoming.url}`);
      incoming.on('data', (piece: Buffer) => (seen.vainBytes += piece.length));
      return portal(incoming, response);
    }
    if (incoming.url === '/v1/upload/proof') {
      seen.proofs += 1;
      if (isOlder) return answerOlder404(response);
    }
    pass(incoming, response);
  });
  const pass: Portal = (incoming, response) => {
    const { method, headers } = incoming;
    const outgoing = request(new URL(incoming.url ?? '/', platformUrl), { method, headers }, (answer) => {
      const { 'earshot-server': mark, ...unmarked } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, isOlder || mark === undefined ? unmarked : answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  };
  http.on('clientError', (_error, socket) => socket.destroy());
  await once(http.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    seen,
    /** Passes requests on to the platform, for portals that are against some of them. */
    pass,
    setPortal(next: Portal | undefined): void {
      portal = next;
      if (next) Object.assign(seen, { requests: [], vainBytes: 0 });
    },
    /** As a platform of the version before: no mark, and no operation that proves uploads. */
    setOlder(older: boolean): void {
      isOlder = older;
    },
    stop(): void {
      http.closeAllConnections();
      http.close();
    },
  };
}

export type HostileNetwork = Awaited<ReturnType<typeof createHostileNetwork>>;

function answerOlder404(response: ServerResponse): void {
  const problem = { type: '/api#error-404', title: 'Not found', status: 404, detail: 'No resource exists.' };
  const headers = { 'content-type': 'application/problem+json; charset=utf-8', 'x-request-id': 'older-1' };
  response.writeHead(404, headers).end(JSON.stringify(problem));
}

/** Reads the request first, as most portals do. */
const afterBody =
  (answer: (response: ServerResponse) => void): Portal =>
  (incoming, response) =>
    void incoming.resume().on('end', () => answer(response));

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };

/** What stands between devices and their platform in hotels, ships, mines and offices. */
export const portals: Readonly<Record<string, Portal>> = {
  '200 with a JSON object': afterBody((response) => void response.writeHead(200, json).end('{"status":"ok"}')),
  '200 with a JSON list': afterBody((response) => void response.writeHead(200, json).end('[]')),
  '200 with JSON and a request id': afterBody(
    (response) => void response.writeHead(200, { ...json, 'x-request-id': 'portal-1' }).end('{"login":true}'),
  ),
  '200 with a page': afterBody((response) => void response.writeHead(200, html).end('<html>Sign in</html>')),
  '200 with an empty body': afterBody((response) => void response.writeHead(200).end()),
  '405': (_incoming, response) => void response.writeHead(405, { ...html, connection: 'close' }).end('no'),
  '413': (_incoming, response) => void response.writeHead(413, { ...html, connection: 'close' }).end('too large'),
  '403 with a problem': afterBody((response) => {
    const problem = { type: 'about:blank', title: 'Forbidden', status: 403, detail: 'Filtered' };
    response.writeHead(403, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem));
  }),
  '511': afterBody((response) => void response.writeHead(511, html).end('<html>Sign in</html>')),
  '503 that asks for a year': afterBody(
    (response) => void response.writeHead(503, { ...html, 'retry-after': '31536000' }).end(),
  ),
  '200 that is cut': afterBody((response) => {
    response.writeHead(200, { ...json, 'content-length': '1000' }).write('{"sta');
    setTimeout(() => response.destroy(), 20);
  }),
  'a clip id of its own': afterBody((response) => {
    const headers = { location: '/v1/upload/1', 'earshot-clip-id': '4711', 'upload-offset': '0' };
    response.writeHead(201, { ...headers, 'tus-resumable': '1.0.0', 'x-request-id': 'forged' }).end();
  }),
  'a wrong time': afterBody((response) => {
    const headers = { ...json, date: 'Thu, 01 Jan 2099 00:00:00 GMT' };
    response.writeHead(401, headers).end('{}');
  }),
  'connections that are cut': (incoming) => incoming.socket.destroy(),
};
