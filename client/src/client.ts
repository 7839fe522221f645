import type { AnswerOf, InputOf, Operation } from '@earshot/contract/operation';
import type { Operations } from '@earshot/contract/operations';
import { operationList } from '@earshot/contract/operations';
import type { Credential } from './credential.ts';
import { credentialHeaders } from './credential.ts';
import { ApiError } from './api-error.ts';

export interface ClientOptions {
  /** Where the server is, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** None in a browser, which sends its session cookie by itself. */
  readonly credential?: Credential;
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

type Filled<Part> = keyof Part extends never ? Record<never, never> : Part;

/** Params, query and body, as far as the operation has them. */
export type CallInput<Op extends Operation> = Filled<
  (keyof InputOf<Op>['params'] extends never ? unknown : { readonly params: InputOf<Op>['params'] }) &
    (keyof InputOf<Op>['query'] extends never ? unknown : { readonly query?: InputOf<Op>['query'] }) &
    (keyof InputOf<Op>['headers'] extends never ? unknown : { readonly headers?: InputOf<Op>['headers'] }) &
    (InputOf<Op>['body'] extends undefined ? unknown : { readonly body: InputOf<Op>['body'] })
>;

type Method<Op extends Operation> =
  Record<never, never> extends CallInput<Op>
    ? (input?: CallInput<Op>, options?: CallOptions) => Promise<AnswerOf<Op>>
    : (input: CallInput<Op>, options?: CallOptions) => Promise<AnswerOf<Op>>;

/** A method for every operation of the contract, under the operation's name; `listen` in live.ts is the stream's. */
export type Client = { readonly [Name in Exclude<keyof Operations, 'listenToChanges'>]: Method<Operations[Name]> };

interface AnyInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

export function createClient(options: ClientOptions): Client {
  const answering = operationList.filter(([, { media }]) => !media.includes('text/event-stream'));
  const methods = answering.map(([name, operation]) => [
    name,
    (input: AnyInput = {}, call: CallOptions = {}) => send(options, operation, input, call),
  ]);
  return Object.fromEntries(methods) as Client;
}

async function send(
  options: ClientOptions,
  operation: Operation,
  input: AnyInput,
  call: CallOptions,
): Promise<unknown> {
  const { path, query } = target(operation, input);
  const body = input.body === undefined ? '' : JSON.stringify(input.body);
  const headers = await credentialHeaders(options.credential, { method: operation.method, path, query, body });
  for (const [name, value] of Object.entries(input.headers ?? {})) if (value !== undefined) headers[name] = value;
  if (body !== '') headers['content-type'] = 'application/json';
  headers['accept'] = operation.media[0] ?? 'application/json';
  const search = query.length > 0 ? `?${new URLSearchParams(query.map(([name, value]) => [name, value]))}` : '';
  const response = await (options.fetch ?? fetch)(new URL(path + search, options.url), {
    method: operation.method,
    headers,
    body: body === '' ? null : body,
    signal: call.signal ?? null,
  });
  const text = await response.text();
  if (!response.ok) throw ApiError.from(response, text);
  if (text === '') return undefined;
  return headers['accept'] === 'text/plain' ? text : JSON.parse(text);
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
