import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: unknown;
}

export interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
}

/**
 * One request with exactly these headers and this target: Node's fetch would add `Sec-Fetch-Mode` and normalise the
 * path.
 */
export function ask(url: string, method: string, target: string, { headers = {}, body }: Asked = {}): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const isPlain = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const sent = isPlain ? body : JSON.stringify(body);
  const kind = body instanceof Uint8Array ? 'audio/wav' : 'application/json';
  const type = sent === undefined ? {} : { 'content-type': kind, 'content-length': Buffer.byteLength(sent) };
  return new Promise((resolve, reject) => {
    const asking = request({ hostname, port, method, path: target, headers: { ...type, ...headers } }, (response) => {
      if (response.headers['content-type']?.startsWith('text/event-stream')) {
        // A stream does not end by itself; here it is enough that it began.
        response.destroy();
        return resolve({ status: response.statusCode ?? 0, headers: response.headers, text: '', json: undefined });
      }
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const answered = Buffer.concat(chunks).toString('utf8');
        const isJson = /[/+]json\b/.test(response.headers['content-type'] ?? '') && answered !== '';
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: answered,
          json: isJson ? (JSON.parse(answered) as unknown) : undefined,
        });
      });
    });
    asking.on('error', reject);
    asking.end(sent);
  });
}

/** The session cookie that a response sets, with its attributes. */
export const cookieSet = ({ headers }: Answer): string => headers['set-cookie']?.[0] ?? '';
/** The same cookie as a browser sends it back. */
export const cookieBack = (answer: Answer): string => cookieSet(answer).split(';')[0] ?? '';

export const basic = (name: string, password: string): { authorization: string } => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});

/** A new address of the network that is reserved for tests (RFC 2544) each time. */
export function createAddresses(): () => string {
  let last = 0;
  return () => {
    last += 1;
    return `198.18.${Math.floor(last / 250)}.${(last % 250) + 1}`;
  };
}
