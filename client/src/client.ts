import type { Operation } from '@earshot/contract/operation';
import { plainMedia } from '@earshot/contract/operation';
import { operationList } from '@earshot/contract/operations';
import { idempotencyHeader } from '@earshot/contract/repetition';
import type { ClientCredential } from './credential.ts';
import type { ByteBody, CallOptions, Client } from './methods.ts';
import { ApiError } from './api-error.ts';
import { callWithRetries } from './call-retries.ts';
import { sendRequest } from './send-request.ts';

export type { Client };

export interface ClientOptions {
  /** The address of the server, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Not needed in a browser, which sends its session cookie. */
  readonly credential?: ClientCredential;
  readonly fetch?: typeof fetch;
  /** The time in milliseconds, for signed requests of a program whose clock may be wrong; its clock when missing. */
  readonly now?: () => number;
  /**
   * How often a call is repeated after a lost connection, a 429 or an error of the server; 0 when missing. A call is
   * repeated only if doing it twice has the effect of doing it once. What would be done twice is sent with an
   * `Idempotency-Key` of its own, unless the caller gives one. `Retry-After` is respected.
   */
  readonly retries?: number;
}

interface AnyInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

export function createClient(options: ClientOptions): Client {
  const { retries = 0 } = options;
  const answering = operationList.filter(([, { media }]) => !media.includes('text/event-stream'));
  const methods = answering.map(([name, operation]) => [
    name,
    (given: AnyInput = {}, call: CallOptions = {}) => {
      const input = operation.repetition === 'adds' && retries > 0 ? withKey(given) : given;
      return callWithRetries({ operation, body: input.body }, retries, call.signal, () =>
        send(options, operation, input, call),
      );
    },
  ]);
  return Object.fromEntries(methods) as Client;
}

/** A key that names this call: the server does it once, however often it is sent. */
const withKey = (input: AnyInput): AnyInput => ({
  ...input,
  headers: { ...input.headers, [idempotencyHeader]: input.headers?.[idempotencyHeader] ?? newKey() },
});

/** A browser has no `randomUUID` on a page without TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function send(
  options: ClientOptions,
  operation: Operation,
  input: AnyInput,
  call: CallOptions,
): Promise<unknown> {
  const { path, query } = target(operation, input);
  const isJson = operation.bytes !== 'received' && input.body !== undefined;
  const body = isJson ? JSON.stringify(input.body) : await bytesOf(options.credential, input.body as ByteBody);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(input.headers ?? {})) if (value !== undefined) headers[name] = value;
  if (isJson) headers['content-type'] = 'application/json';
  if (operation.bytes !== 'sent') headers['accept'] = operation.media[0] ?? 'application/json';
  const search = query.length > 0 ? `?${new URLSearchParams(query)}` : '';
  const response = await sendRequest(options, {
    method: operation.method,
    url: new URL(path + search, options.url),
    headers,
    body,
    content: typeof body === 'string' || body instanceof Uint8Array ? body : undefined,
    signal: call.signal,
  });
  if (operation.bytes === 'sent' && (response.ok || response.status === 304)) return response;
  const text = await response.text();
  if (!response.ok) throw ApiError.from(response, text);
  if (plainMedia.some((media) => media === headers['accept'])) return text;
  return text === '' ? undefined : JSON.parse(text);
}

/** A signature needs all bytes at once. */
async function bytesOf(credential: ClientCredential | undefined, body: ByteBody | undefined): Promise<ByteBody | null> {
  if (body === undefined) return null;
  if (!credential?.signed || body instanceof Uint8Array) return body;
  return new Uint8Array(await new Response(body).arrayBuffer());
}

function target(operation: Operation, { params = {}, query = {} }: AnyInput) {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, String(value)]);
  return { path, query: pairs };
}
