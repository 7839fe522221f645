import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:http';

/** A response as received: no redirect, decoding or correction. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The content type without its parameters; empty if there is none. */
  readonly type: string;
  readonly bytes: Buffer;
  readonly text: string;
  /** The body read as JSON. */
  readonly json: unknown;
}

export interface Sending {
  /** Sent as JSON, with application/json unless `headers` has another type. */
  readonly json?: unknown;
  /** Sent unchanged, without a content type. */
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The method and the target of the request line: `GET /v1/agent/5`. */
export type Send = (line: string, sending?: Sending) => Promise<Answer>;

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** Calls a server without the additional headers of a browser or client library. */
export function sender(url: string, always: Readonly<Record<string, string>> = {}): Send {
  const { hostname, port } = new URL(url);
  return (line, { json, body, headers = {} } = {}) => {
    const [method = '', path = ''] = line.split(/ (.*)/s);
    const bytes = Buffer.from(body ?? (json === undefined ? '' : JSON.stringify(json)));
    const described = {
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      // Node omits it for some methods, and the body would be read as the next request.
      ...(bytes.length > 0 ? { 'content-length': String(bytes.length) } : {}),
    };
    return new Promise((resolve, reject) => {
      const options = { agent, hostname, port, method, path, headers: { ...described, ...always, ...headers } };
      const outgoing = request(options, (incoming) => {
        if (incoming.headers['content-type']?.startsWith('text/event-stream')) {
          // A stream does not end by itself; here it is enough that it began.
          incoming.destroy();
          return resolve(answerOf(incoming.statusCode ?? 0, incoming.headers, Buffer.alloc(0)));
        }
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => resolve(answerOf(incoming.statusCode ?? 0, incoming.headers, Buffer.concat(chunks))));
      });
      outgoing.on('error', reject);
      outgoing.end(bytes);
    });
  };
}

function answerOf(status: number, headers: IncomingHttpHeaders, bytes: Buffer): Answer {
  const text = bytes.toString('utf8');
  return {
    status,
    headers,
    type: (headers['content-type'] ?? '').split(';')[0] ?? '',
    bytes,
    text,
    get json() {
      return JSON.parse(text) as unknown;
    },
  };
}

export const basic = ({ accessKey, secretKey }: { accessKey: string; secretKey: string }): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${accessKey}:${secretKey}`).toString('base64')}`,
});
