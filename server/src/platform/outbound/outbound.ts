import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction, Socket } from 'node:net';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import type { buildConnector as Connector, Dispatcher } from 'undici';
import { buildConnector, Client } from 'undici';
import type { AddressRule } from './address.ts';
import { createAddressRule } from './address.ts';
import { codeOf, explainFailure, forbiddenCall, OutboundError, unresolvedName } from './outbound-error.ts';

/*
 * All calls to addresses that users or callers have given go through here.
 *
 * The IP address decides, not the notation: a name is resolved once for each connection, all its addresses are checked,
 * and the connection uses exactly these addresses. A name that resolves differently the next time is checked again.
 * Each call and each redirect has its own connection, and proxy settings of the environment are ignored.
 */

export interface OutboundCall {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Readable;
  readonly signal?: AbortSignal;
  /** For the whole call, including redirects. */
  readonly timeoutMs: number;
  /** The call fails if the other side accepts no part of the body and sends nothing for this time. */
  readonly stallMs?: number;
  /** At most this much of a response body is read. */
  readonly maxAnswerBytes: number;
  /** The number of redirects to follow. Without a value, none: the redirect is the answer. */
  readonly followRedirects?: number;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** The body was longer than `maxAnswerBytes`, or did not end in time. */
  readonly cutShort: boolean;
}

export interface Outbound {
  /**
   * Returns the parsed URL. Throws an OutboundError if the text alone shows that it may not be called: an address that
   * is not public, in any notation, or a name that never resolves to a public one. Other names are checked when they
   * are called.
   */
  checkText(url: string): URL;
  /**
   * Throws the error that a call would throw because of the current address of the name. Use it to avoid work before a
   * call that would be refused; the call itself checks again.
   */
  checkAddress(url: string): Promise<void>;
  /** A connection for another protocol, to an address that is checked as those of calls are. The caller closes it. */
  openSocket(target: { readonly host: string; readonly port: number }, signal: AbortSignal): Promise<Socket>;
  /** Returns the response of the other side; throws an OutboundError if there is none. */
  send(url: string, call: OutboundCall): Promise<OutboundAnswer>;
}

export type Lookup = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

export interface OutboundOptions {
  /** Networks that may be called although they are not public. */
  readonly allowNetworks: readonly string[];
  /** Resolves names; the system's resolver unless given. */
  readonly lookup?: Lookup | undefined;
}

const largestHeaderBytes = 16_384;
const connectWithinMs = 10_000;

export function createOutbound({ allowNetworks, lookup = lookUpAll }: OutboundOptions): Outbound {
  const mayConnect = createAddressRule(allowNetworks);
  const judge = addressJudge(mayConnect, lookup);
  const connect = guardedConnector(mayConnect, judge);
  const checkText = (text: string): URL => {
    const url = callableURL(text);
    if (isNeverPublic(hostOf(url), mayConnect, allowNetworks.length > 0)) throw notPublic();
    return url;
  };
  return {
    checkText,
    async checkAddress(url) {
      const host = hostOf(checkText(url));
      // A lookup that fails now may succeed when the name is called.
      if (isIP(host) === 0) await judge(host).catch(rethrowJudged);
    },
    openSocket({ host, port }, signal) {
      const target = { hostname: host, protocol: 'http:', port: String(port), host } as const;
      return new Promise<Socket>((resolve, reject) => {
        const stop = () => reject(new OutboundError('stopped', 'the call was aborted'));
        if (signal.aborted) return stop();
        signal.addEventListener('abort', stop, { once: true });
        connect(target, (error, socket) => {
          signal.removeEventListener('abort', stop);
          if (signal.aborted) socket?.destroy();
          else if (socket) resolve(socket);
          else reject(explainFailure(error));
        });
      });
    },
    async send(url, call) {
      const deadline = AbortSignal.timeout(call.timeoutMs);
      const stall = watchBody(call);
      const signal = AbortSignal.any([deadline, stall.signal, ...(call.signal ? [call.signal] : [])]);
      try {
        return await sendAll(connect, callableURL(url), stall.call, signal);
      } catch (error) {
        if (call.signal?.aborted) throw new OutboundError('stopped', 'the call was aborted', { cause: error });
        if (deadline.aborted) throw new OutboundError('late', 'there was no response in time', { cause: error });
        if (stall.signal.aborted)
          throw new OutboundError('late', 'the host accepted no data for too long', { cause: error });
        throw explainFailure(error);
      } finally {
        stall.end();
      }
    },
  };
}

/** Wraps the body to notice when a part of it is read; the signal aborts if none was read for too long. */
function watchBody(call: OutboundCall): { call: OutboundCall; signal: AbortSignal; end(): void } {
  const stalled = new AbortController();
  const { stallMs, body } = call;
  if (stallMs === undefined || !(body instanceof Readable)) return { call, signal: stalled.signal, end: () => {} };
  const timer = setTimeout(() => stalled.abort(), stallMs);
  async function* watched(pieces: Readable): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces as AsyncIterable<Uint8Array>) {
      yield piece;
      timer.refresh();
    }
  }
  const watchedBody = Readable.from(watched(body), { objectMode: false });
  return { call: { ...call, body: watchedBody }, signal: stalled.signal, end: () => clearTimeout(timer) };
}

const lookUpAll: Lookup = (hostname) => systemLookup(hostname, { all: true });

/** An absolute http or https URL without user name and password. */
export function callableURL(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw forbiddenCall('it is not an http or https URL');
  if (url.username !== '' || url.password !== '') throw forbiddenCall('it contains a user name or a password');
  return url;
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

/** Reserved for this machine (RFC 6761), and for networks without public addresses (RFC 6762, RFC 8375, ICANN). */
const localNames = /^(.+\.)?localhost$/;
const privateNames = /\.(local|internal|home\.arpa)$/;

/** If the operator allows any network, names of private networks are checked by their address: they may be in it. */
function isNeverPublic(host: string, mayConnect: AddressRule, someAreAllowed: boolean): boolean {
  if (isIP(host) !== 0) return !mayConnect(host);
  if (localNames.test(host)) return !mayConnect('127.0.0.1') && !mayConnect('::1');
  return privateNames.test(host) && !someAreAllowed;
}

function rethrowJudged(error: unknown): void {
  if (error instanceof OutboundError) throw error;
}

async function sendAll(
  connect: Connector.connector,
  first: URL,
  call: OutboundCall,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  let url = first;
  let step: OutboundCall = call;
  for (let left = call.followRedirects ?? 0; ; left -= 1) {
    const answer = await sendOnce(connect, url, step, signal);
    const location = redirectOf(answer);
    if (location === undefined || !call.followRedirects) return answer;
    if (left === 0) throw forbiddenCall('it redirects too many times');
    const next = callableURL(location, url);
    step = redirected(step, answer.status, next.origin === url.origin);
    url = next;
  }
}

function redirectOf({ status, headers }: OutboundAnswer): string | undefined {
  const { location } = headers;
  return [301, 302, 303, 307, 308].includes(status) && typeof location === 'string' ? location : undefined;
}

/**
 * 307 and 308 repeat the call; other redirects change it to a GET. Credentials for one origin are not sent to another.
 */
function redirected(call: OutboundCall, status: number, sameOrigin: boolean): OutboundCall {
  const { body, headers = {}, ...rest } = call;
  const repeats = status === 307 || status === 308 || call.method === 'GET' || call.method === 'HEAD';
  if (repeats && body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw forbiddenCall('it redirects an upload that cannot be sent again');
  }
  const isKept = (name: string) =>
    (sameOrigin || !['authorization', 'cookie'].includes(name)) && (repeats || !name.startsWith('content-'));
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(name.toLowerCase())));
  if (!repeats) return { ...rest, method: 'GET', headers: kept };
  return { ...rest, headers: kept, ...(body === undefined ? {} : { body }) };
}

async function sendOnce(
  connect: Connector.connector,
  url: URL,
  call: OutboundCall,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  signal.throwIfAborted();
  const client = new Client(url.origin, { connect, maxHeaderSize: largestHeaderBytes, pipelining: 0 });
  // Not awaited: a connection attempt ends only after `connectWithinMs`.
  const cut = () => void client.destroy(signal.aborted ? new Error('aborted') : null);
  // The client observes a signal only when it is connected; this also ends a DNS lookup.
  signal.addEventListener('abort', cut, { once: true });
  try {
    const response = await client.request({
      path: url.pathname + url.search,
      method: call.method,
      headers: { ...call.headers },
      body: call.body ?? null,
    });
    const { body, cutShort } = await readBody(response, call.maxAnswerBytes);
    return { status: response.statusCode, headers: response.headers, body, cutShort };
  } finally {
    signal.removeEventListener('abort', cut);
    cut();
  }
}

/** The status is the answer: a body that is too long, breaks off or is too slow does not change it. */
async function readBody({ body }: Dispatcher.ResponseData, most: number): Promise<{ body: Buffer; cutShort: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  let cutShort = false;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, most - size));
      size += chunk.length;
      if (size > most) {
        cutShort = true;
        break;
      }
    }
  } catch {
    cutShort = true;
  }
  return { body: Buffer.concat(chunks), cutShort };
}

const notPublic = () => forbiddenCall('its address is not public');

type AddressJudge = (hostname: string) => Promise<{ address: string; family: number }[]>;

/** The addresses of a name; throws unless each of them is permitted. */
function addressJudge(mayConnect: AddressRule, lookup: Lookup): AddressJudge {
  return async (hostname) => {
    const found = await lookup(hostname).catch((error: unknown) => {
      throw codeOf(error) === 'ENOTFOUND' ? unresolvedName('unknown', error) : error;
    });
    if (found.length === 0 || !found.every(({ address }) => mayConnect(address))) throw unresolvedName('internal');
    return [...found];
  };
}

/** Checks an IP address before connecting, and the addresses of a name when they are resolved. */
function guardedConnector(mayConnect: AddressRule, judge: AddressJudge): Connector.connector {
  // Node asks for all addresses, because it tries one after the other.
  const judgedLookup: LookupFunction = (hostname, _options, done) =>
    void judge(hostname).then(
      (found) => done(null, found),
      (error: Error) => done(error, []),
    );
  const connect = buildConnector({
    timeout: connectWithinMs,
    maxCachedSessions: 0,
    lookup: judgedLookup,
    autoSelectFamily: true,
  });
  return (options, done) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
    // An IP address is not resolved, so the lookup does not check it.
    if (isIP(host) !== 0 && !mayConnect(host)) return done(notPublic(), null);
    connect({ ...options, hostname: host }, done);
  };
}
