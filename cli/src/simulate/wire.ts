import { createHmac, randomUUID } from 'node:crypto';
import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { canonicalBytes, signedScheme } from '@earshot/contract/signing';

/** An API key whose secret is never sent. */
export interface SigningKey {
  readonly accessKey: string;
  readonly secretKey: string;
}

export interface WireRequest {
  readonly method: string;
  /** With its query, or a whole address, which is then requested as it is. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Signs the request; without a key nothing is signed. */
  readonly key?: SigningKey;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Wire {
  send(request: WireRequest): Promise<WireResponse>;
  /** Ends every connection and lets no request through, as a network does that is gone. */
  interrupt(): void;
  restore(): void;
  close(): void;
}

/** No response, with a short name of the reason for counting. */
export class WireFailure extends Error {
  override readonly name = 'WireFailure';
  readonly kind: string;

  constructor(kind: string) {
    super(`no response: ${kind}`);
    this.kind = kind;
  }
}

/** The kind of a failure while the wire is interrupted. */
export const outage = 'outage';

const usualTimeoutMs = 30_000;
/** More than the short requests of thousands of devices need at the same time. */
const mostFreeSockets = 512;

/**
 * Requests of many devices from one process. It uses `node:http` and a synchronous HMAC, because `fetch` and Web Crypto
 * take several times the processor time, which would be missing on a machine that also runs the server.
 */
export function createWire(url: string): Wire {
  const base = new URL(url);
  const isSecure = base.protocol === 'https:';
  const options = { keepAlive: true, maxFreeSockets: mostFreeSockets };
  const agent = isSecure ? new HttpsAgent(options) : new HttpAgent(options);
  const start = isSecure ? httpsRequest : httpRequest;
  const own = ownAddresses(base);
  let turn = 0;
  let isOut = false;

  const sendOnce = (given: WireRequest) =>
    new Promise<WireResponse>((resolve, reject) => {
      const address = new URL(given.target, base);
      const headers: Record<string, string | number> = { ...given.headers };
      if (given.key) Object.assign(headers, sign(given.key, given, address));
      if (given.body !== undefined) headers['content-length'] = Buffer.byteLength(given.body);
      let isAnswered = false;
      const request: ClientRequest = start(
        address,
        {
          method: given.method,
          headers,
          agent,
          ...(own.length === 0 ? {} : { localAddress: own[(turn += 1) % own.length] }),
          ...(given.signal ? { signal: given.signal } : {}),
        },
        (response) => {
          isAnswered = true;
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => void chunks.push(chunk));
          response.on('error', fail);
          response.on('end', () => {
            clearTimeout(timer);
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
          });
        },
      );
      const fail = (error: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        // The server closed an idle connection at the same moment: every HTTP client sends such a request again.
        const isStale = request.reusedSocket && error.code === 'ECONNRESET' && !isAnswered;
        reject(isStale ? new StaleConnection() : new WireFailure(isOut ? outage : (error.code ?? error.message)));
      };
      const timer = setTimeout(() => request.destroy(new Error('timeout')), given.timeoutMs ?? usualTimeoutMs);
      request.on('error', fail);
      request.end(given.body);
    });

  return {
    async send(request) {
      for (;;) {
        if (isOut) throw new WireFailure(outage);
        try {
          return await sendOnce(request);
        } catch (error) {
          if (!(error instanceof StaleConnection)) throw error;
        }
      }
    },
    interrupt() {
      isOut = true;
      agent.destroy();
    },
    restore() {
      isOut = false;
    },
    close: () => agent.destroy(),
  };
}

const loopbacks = 8;

/** To a server on this machine from several addresses, because one has fewer ports than there may be devices. */
const ownAddresses = ({ hostname }: URL): string[] =>
  hostname === '127.0.0.1' ? Array.from({ length: loopbacks }, (_, index) => `127.0.0.${index + 2}`) : [];

class StaleConnection extends Error {}

function sign(
  { accessKey, secretKey }: SigningKey,
  { method, body }: WireRequest,
  address: URL,
): Record<string, string> {
  const authorization = `${signedScheme} ${accessKey}`;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const nonce = randomUUID();
  const bytes = canonicalBytes(
    {
      method,
      path: address.pathname,
      query: [...address.searchParams],
      body: body ?? '',
      authorization,
      accessKey,
      timestamp,
      nonce,
    },
    false,
  );
  return {
    authorization,
    'x-accesskey': accessKey,
    'x-timestamp': timestamp,
    'x-nonce': nonce,
    'x-signature': createHmac('sha256', secretKey).update(bytes).digest('hex'),
  };
}
