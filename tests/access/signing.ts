import { createHmac, randomUUID } from 'node:crypto';
import type { Answer } from './ask.ts';
import { ask } from './ask.ts';

/*
 * A second implementation of the signature of CONTRACT.md, which shares no code with the tested one. `ended` is the
 * form in which each header and parameter line ends with a newline before the five parts are joined.
 */

export const forms = ['joined', 'ended'] as const;
export type Form = (typeof forms)[number];

export interface Signer {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** The signed request. Some tests send a different one. */
export interface ToSign {
  readonly method: string;
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  readonly form?: Form;
  readonly timestamp?: number;
  readonly nonce?: string;
}

export type SignedHeaders = Record<'Authorization' | 'X-AccessKey' | 'X-Nonce' | 'X-Timestamp' | 'X-Signature', string>;

export const epochSeconds = (): number => Math.floor(Date.now() / 1000);

export function signHeaders({ accessKey, secretKey }: Signer, request: ToSign): SignedHeaders {
  const { method, path, query = [], body = '', form = 'joined' } = request;
  const headers = {
    Authorization: `HMAC-SHA256 ${accessKey}`,
    'X-AccessKey': accessKey,
    'X-Nonce': request.nonce ?? randomUUID(),
    'X-Timestamp': String(request.timestamp ?? epochSeconds()),
  };
  const lines = (pairs: readonly (readonly [string, string])[]): string => {
    const written = pairs.map(([name, value]) => `${name}: ${value}`);
    return form === 'ended' ? written.map((line) => `${line}\n`).join('') : written.join('\n');
  };
  // The headers above are in sorted order; the test gives the query parameters in sorted order.
  const signed = `${method}\n${path}\n${lines(Object.entries(headers))}\n${lines(query)}\n${body}`.trim();
  const signature = createHmac('sha256', Buffer.from(secretKey, 'utf8'))
    .update(Buffer.from(signed, 'utf8'))
    .digest('hex');
  return { ...headers, 'X-Signature': signature };
}

/** Signs and sends; `target` is the sent request target if it differs from the signed path. */
export function askSigned(
  url: string,
  signer: Signer,
  request: ToSign & { readonly target?: string; readonly headers?: Readonly<Record<string, string>> },
): Promise<Answer> {
  const headers = { ...signHeaders(signer, request), ...request.headers };
  return ask(url, request.method, request.target ?? request.path, { headers, body: request.body });
}
