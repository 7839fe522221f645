import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { platformHeader } from '@earshot/contract/platform-mark';
import { problemMedia } from '@earshot/contract/problem';
import { clipIdHeader, createUpload, tusVersion } from '@earshot/contract/upload';
import type { ProofRequest } from '@earshot/contract/upload-proof';
import { proveUploads } from '@earshot/contract/upload-proof';

/*
 * What stands between a device and the platform. Each kind answers every request, or passes it on, in its own way for some
 * seconds. None of them may cost a recording, and none may get the device's secret.
 */

/** Requests that a liar has answered instead of the platform. */
interface Lies {
  uploads: number;
  proofs: number;
  refusals: number;
  filtered: number;
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly platformUrl: string;
  readonly thiefUrl: string;
  readonly lies: Lies;
}

type NetworkKind = (exchange: Exchange) => void;

const mark = { [platformHeader]: '9.9.9' };

/** Reads the whole body and answers, as a portal does. */
const answer =
  (status: number, headers: Record<string, string>, body: string): NetworkKind =>
  ({ incoming, response }) => {
    incoming.resume();
    incoming.on('end', () => void response.writeHead(status, headers).end(body));
  };

interface PassOptions {
  readonly onAnswer?: (from: IncomingMessage, to: ServerResponse) => void;
  readonly delayMs?: number;
}

const copyAnswer = (from: IncomingMessage, to: ServerResponse): void => {
  to.writeHead(from.statusCode ?? 502, from.headers);
  from.pipe(to);
};

const pass =
  ({ onAnswer = copyAnswer, delayMs = 0 }: PassOptions = {}): NetworkKind =>
  ({ incoming, response, platformUrl }) => {
    const { method, headers } = incoming;
    const send = () => {
      const url = new URL(incoming.url ?? '/', platformUrl);
      const outgoing = request(url, { method, headers }, (from) => onAnswer(from, response));
      outgoing.on('error', () => response.destroy());
      response.on('close', () => outgoing.destroy());
      incoming.pipe(outgoing);
    };
    // Without a delay at once, or what counts the bytes would read them before they are passed on.
    if (delayMs > 0) setTimeout(send, delayMs);
    else send();
  };

const isUpload = ({ incoming: { url = '', method } }: Exchange): boolean =>
  url.startsWith('/v1/upload') && !url.endsWith('/proof') && method !== 'HEAD';

const year = String(365 * 86_400);

/** A liar that knows the protocol: it claims to have every byte, and marks its answers as the platform does. */
const forge: NetworkKind = (exchange) => {
  const { incoming, response, lies } = exchange;
  const { url = '', method = '', headers } = incoming;
  const isProof = url === proveUploads.path;
  // The rest is passed on, so that recordings are announced and their sound is sent.
  if (!isProof && !/^\/v1\/upload(\/\d+)?$/.test(url)) return pass()(exchange);
  const pieces: Buffer[] = [];
  incoming.on('data', (piece: Buffer) => pieces.push(piece));
  incoming.on('end', () => {
    const body = Buffer.concat(pieces);
    if (isProof) {
      lies.proofs += 1;
      return void response.writeHead(200, { ...mark, 'content-type': 'application/json' }).end(forgeProof(body));
    }
    lies.uploads += 1;
    const offset = Number(headers['upload-offset'] ?? 0) + body.length;
    const status = { POST: 201, HEAD: 200 }[method] ?? 204;
    const tus = { 'tus-resumable': tusVersion, 'upload-offset': String(offset), location: `${createUpload.path}/1` };
    response.writeHead(status, { ...mark, ...tus, [clipIdHeader]: '1' }).end();
  });
};

/** All that the liar does not have is the secret of the key. */
function forgeProof(body: Buffer): string {
  const { nonce, recordings } = JSON.parse(body.toString()) as ProofRequest;
  const proofs = recordings.map((each) => ({ ...each, isStored: true, proof: 'ab'.repeat(32) }));
  return JSON.stringify({ nonce, proofs });
}

const isAnnouncement = ({ incoming: { url = '' } }: Exchange): boolean => url.startsWith('/v1/audioclip/createlist/');

/** A filter that refuses recordings as the platform does, but for the mark. */
const refuse: NetworkKind = (exchange) => {
  if (!isAnnouncement(exchange) && !isUpload(exchange)) return pass()(exchange);
  exchange.lies.refusals += 1;
  const problem = { type: 'about:blank', title: 'Unsupported Media Type', status: 415 };
  answer(415, { 'content-type': problemMedia }, JSON.stringify(problem))(exchange);
};

/** Files whose names begin so are announced through every network but one. */
export const filteredName = 'filtered-';

/** A filter that reads announcements, and does not like one name. */
const filterName: NetworkKind = (exchange) => {
  const { incoming, response, platformUrl, lies } = exchange;
  if (!isAnnouncement(exchange)) return pass()(exchange);
  const pieces: Buffer[] = [];
  incoming.on('data', (piece: Buffer) => pieces.push(piece));
  incoming.on('end', () => {
    const body = Buffer.concat(pieces);
    if (body.includes(filteredName)) {
      lies.filtered += 1;
      return void response.writeHead(403, { 'content-type': 'text/html' }).end('<html>Blocked</html>');
    }
    const { method, headers, url = '' } = incoming;
    const outgoing = request(new URL(url, platformUrl), { method, headers }, (from) => copyAnswer(from, response));
    outgoing.on('error', () => response.destroy());
    outgoing.end(body);
  });
};

/** More than the smallest piece, less than a large recording. */
const cutAfterBytes = 400_000;

const cutOften: NetworkKind = (exchange) => {
  const { incoming } = exchange;
  incoming.on('data', () => {
    if (incoming.socket.bytesRead > cutAfterBytes) incoming.socket.resetAndDestroy();
  });
  pass()(exchange);
};

export const networkKinds = {
  open: pass(),
  slow: pass({ delayMs: 700 }),
  'portal: 200 with a JSON object': answer(200, { 'content-type': 'application/json' }, '{"status":"ok","key":1}'),
  'portal: 200 with a list': answer(200, { 'content-type': 'application/json' }, '[{"key":1}]'),
  'portal: 200 with a page': answer(200, { 'content-type': 'text/html' }, '<html>Welcome to our hotel</html>'),
  'portal: 200 and empty': answer(200, {}, ''),
  'portal: 201 with a clip': answer(201, { [clipIdHeader]: '1', location: '/v1/upload/1' }, ''),
  'portal: 204': answer(204, {}, ''),
  'redirect 302 to a page': ({ incoming, response, thiefUrl }) => {
    incoming.resume();
    response.writeHead(302, { location: `${thiefUrl}/login` }).end();
  },
  'redirect 307 to another host': ({ incoming, response, thiefUrl }) => {
    incoming.resume();
    response.writeHead(307, { location: `${thiefUrl}${incoming.url}` }).end();
  },
  'redirect 308 to another host, marked': ({ incoming, response, thiefUrl }) => {
    incoming.resume();
    response.writeHead(308, { ...mark, location: `${thiefUrl}${incoming.url}` }).end();
  },
  'portal: 401': answer(401, { 'www-authenticate': 'Basic realm="hotel"' }, ''),
  'portal: 403': answer(403, {}, 'Blocked by your administrator'),
  'portal: 404': answer(404, { 'content-type': 'text/html' }, '<html>Not here</html>'),
  'portal: 405': answer(405, {}, ''),
  'portal: 413': answer(413, {}, ''),
  'portal: 511': answer(511, { 'content-type': 'text/html' }, '<html>Sign in</html>'),
  'portal: 503, a year to wait': answer(503, { 'retry-after': year }, ''),
  'portal: 429, until next year': answer(429, { 'retry-after': 'Fri, 01 Jan 2038 00:00:00 GMT' }, ''),
  'platform: 503, two seconds to wait': answer(503, { ...mark, 'retry-after': '2' }, ''),
  'platform: 500': answer(500, { ...mark, 'content-type': 'application/problem+json' }, '{"status":500}'),
  forge,
  'a filter that refuses with a problem': refuse,
  'takes the request and never answers': ({ incoming }) => void incoming.resume(),
  'reads nothing': ({ incoming }) => void incoming.pause(),
  'cuts the request': ({ incoming }) => {
    incoming.once('data', () => incoming.socket.resetAndDestroy());
    incoming.on('end', () => incoming.socket.resetAndDestroy());
  },
  'loses the answer': pass({
    onAnswer: (from, to) => {
      from.resume();
      from.on('end', () => to.destroy());
    },
  }),
  'cuts the answer': pass({
    onAnswer: (from, to) => {
      to.writeHead(from.statusCode ?? 502, { ...from.headers, 'content-length': '100000' });
      from.on('data', (chunk: Buffer) => to.write(chunk.subarray(0, Math.ceil(chunk.length / 2))));
      from.on('end', () => to.destroy());
    },
  }),
  'removes unknown headers': pass({
    onAnswer: (from, to) => {
      const { [platformHeader.toLowerCase()]: _mark, ...headers } = from.headers;
      to.writeHead(from.statusCode ?? 502, headers);
      from.pipe(to);
    },
  }),
  'a proxy that refuses large bodies': (exchange) => {
    const isLarge = Number(exchange.incoming.headers['content-length'] ?? Infinity) > 20_000;
    (isUpload(exchange) && isLarge ? answer(413, {}, 'Too large') : pass())(exchange);
  },
  'a filter against one announcement': filterName,
  'cuts every 400,000 bytes': cutOften,
} satisfies Record<string, NetworkKind>;

export type NetworkName = keyof typeof networkKinds;

/** Kinds that must not pass unnoticed, with the lies that each of them tells a device that trusted the network before. */
export const liars: Partial<Record<NetworkName, readonly (keyof Lies)[]>> = {
  forge: ['uploads', 'proofs'],
  'a filter that refuses with a problem': ['refusals'],
};

/** Kinds under which recordings arrive nevertheless: that one is refused or cut is no reason to hold up the others. */
export const narrow: ReadonlySet<NetworkName> = new Set([
  'slow',
  'a filter against one announcement',
  'cuts every 400,000 bytes',
]);

/** Kinds that pass requests on whole, so that recordings can arrive. */
const passing: ReadonlySet<NetworkName> = new Set(['open', 'slow', 'loses the answer', 'cuts the answer']);

export interface TrapNetwork {
  readonly url: string;
  readonly kind: NetworkName;
  set(kind: NetworkName): void;
  /** Bytes of bodies that nobody passed on, and the most that one recording per second of back-off explains. */
  readonly vainBytes: number;
  /** Requests and bytes that another host got by a redirect. */
  readonly stolen: { requests: number; bytes: number; secrets: number };
  readonly lies: Lies;
  stop(): void;
}

async function listen(listener: RequestListener) {
  const http = createServer(listener);
  // A server that waits for a slow client would end connections by itself.
  http.requestTimeout = 0;
  await once(http.listen(0, '127.0.0.1'), 'listening');
  return { http, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` };
}

export async function startTrapNetwork(platformUrl: string, secrets: readonly string[]): Promise<TrapNetwork> {
  let kind: NetworkName = 'open';
  let vainBytes = 0;
  const stolen = { requests: 0, bytes: 0, secrets: 0 };
  const lies: Lies = { uploads: 0, proofs: 0, refusals: 0, filtered: 0 };
  const countSecrets = (incoming: IncomingMessage) => {
    const shown = Buffer.from((incoming.headers.authorization ?? '').replace(/^Basic /i, ''), 'base64').toString();
    if (secrets.some((secret) => shown.includes(secret))) stolen.secrets += 1;
  };
  const thief = await listen((incoming, response) => {
    stolen.requests += 1;
    countSecrets(incoming);
    incoming.on('data', (chunk: Buffer) => (stolen.bytes += chunk.length));
    incoming.on('end', () => response.writeHead(201, { ...mark, [clipIdHeader]: '1', 'upload-offset': '0' }).end());
  });
  const trap = await listen((incoming, response) => {
    countSecrets(incoming);
    incoming.on('error', () => {});
    response.on('error', () => {});
    if (!passing.has(kind)) incoming.on('data', (chunk: Buffer) => (vainBytes += chunk.length));
    networkKinds[kind]({ incoming, response, platformUrl, thiefUrl: thief.url, lies });
  });
  return {
    url: trap.url,
    get kind() {
      return kind;
    },
    set(next) {
      kind = next;
      // What waits for an answer in vain ends with its kind.
      trap.http.closeAllConnections();
    },
    get vainBytes() {
      return vainBytes;
    },
    stolen,
    lies,
    stop() {
      for (const { http } of [trap, thief]) {
        http.closeAllConnections();
        http.close();
      }
    },
  };
}
