import type { Static, TObject, TProperties, TSchema } from 'typebox';
import { Type } from 'typebox';
import type { AuditAction } from './audit-actions.ts';
import type { Gateway } from './gateway-protocol.ts';
import type { RecordKind } from './record-kind.ts';
import type { Recorded } from './recorded.ts';
import { repetitionOf } from './recorded.ts';
import type { Repetition } from './repetition.ts';

/**
 * Who may call an operation. `acts` decides which records a caller may read or change with it.
 *
 * - anyone: no credential is required
 * - session: a person signed in to a web session
 * - admin: the same, with the role `admin`
 * - caller: a session or an API key
 * - agent: a session, an API key, or the key of the one device concerned (`writeOnlyKeys`: also if it is write-only)
 */
export type Access = 'anyone' | 'session' | 'admin' | 'caller' | 'agent';

/** `own`: only the owner and an admin have this right, regardless of sharing. */
export type Right = 'read' | 'write' | 'own';

/** A record that the request names, and the right to it that the caller needs. */
export interface Act {
  readonly record: RecordKind;
  readonly right: Right;
  /** The field of the request that names it: `params.agentID`, `body.deviceSerial`, `headers.upload-metadata`. */
  readonly by: `params.${string}` | `body.${string}` | `headers.${string}`;
  /** The status if the caller may not see the record; 404 by default. */
  readonly hidden?: 400 | 404;
  /** The status if the caller may see the record but lacks the right; 403 by default. */
  readonly denied?: 400 | 403;
}

export type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type ErrorStatus = 400 | 401 | 403 | 404 | 406 | 409 | 410 | 412 | 413 | 415 | 416 | 419 | 429 | 460 | 501 | 503;
export type MediaType =
  | 'application/json'
  | 'text/json'
  | 'text/plain'
  | 'text/event-stream'
  | 'text/vtt'
  | 'text/html'
  | 'application/x-subrip'
  | 'application/x-ndjson'
  | 'text/csv';

/** Text is sent unchanged with these types; with all others it is JSON. */
export const plainMedia: readonly MediaType[] = [
  'text/plain',
  'text/vtt',
  'text/html',
  'application/x-subrip',
  'application/x-ndjson',
  'text/csv',
];

/**
 * `received`: the request body is the bytes of a file of any type. `sent`: the response is, as a whole or in ranges,
 * with conditional requests (RFC 9110).
 */
export type ByteFlow = 'received' | 'sent';

/** A success that is not a 200. */
export interface Success {
  readonly status: 201 | 204;
  /** What it means, in Markdown. */
  readonly text: string;
}

interface Declaration<
  Params extends TProperties,
  Query extends TProperties,
  Body extends TSchema | undefined,
  Answer extends TSchema | undefined,
  Who extends Access,
  Headers extends TProperties,
  Bytes extends ByteFlow | undefined,
> {
  /** A template in OpenAPI's syntax: `/v1/agent/{agentID}`. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description?: string;
  /** Clients should use another operation; this one answers as before. */
  readonly deprecated?: true;
  readonly access: Who;
  readonly acts: readonly Act[];
  /** The kind of records in a list response: only those that the caller may read. */
  readonly lists?: RecordKind;
  readonly params?: Params;
  readonly query?: Query;
  /** Request headers that this operation uses, by their names in lower case. */
  readonly headers?: Headers;
  readonly body?: Body;
  readonly bodyOptional?: boolean;
  /** The largest body in bytes, if it is not the usual one. */
  readonly bodyBytes?: number;
  /** A field of the body that is `null` counts as missing, as it does in every POST. */
  readonly nullIsMissing?: boolean;
  readonly bytes?: Bytes;
  /** The only content type that the received bytes may have; any by default. */
  readonly bytesType?: string;
  /** The request may have no body. */
  readonly bytesOptional?: boolean;
  readonly success?: Success;
  /** Headers of every successful response, with their meaning. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** Headers with fixed values, sent with every response, errors included. */
  readonly fixedHeaders?: Readonly<Record<string, string>>;
  readonly answer?: Answer;
  /** The response may be a 200 with an empty body. */
  readonly answerOptional?: boolean;
  /** The available content types, the default first. */
  readonly media?: readonly MediaType[];
  /** Error statuses in addition to those that follow from access, acts and body. */
  readonly errors?: readonly ErrorStatus[];
  /** A 400 of this operation is a string instead of a problem. */
  readonly textErrors?: boolean;
  /** Creates or ends a web session, so requests from other origins are refused. */
  readonly sameOrigin?: boolean;
  /** Can also be sent as POST, with its method in the header `X-HTTP-Method-Override`. */
  readonly asPost?: boolean;
  readonly gateway?: Gateway;
}

/**
 * Whether a device key that is write-only may call an operation: it reports what a recorder has, and reads no record.
 * `sets`: with a patch whose operations only set fields (`settingPatchNames`).
 */
export type WriteOnlyKeys = 'allowed' | 'sets' | 'refused';

/** Required for every operation that device keys may call, so that a new one does not open the record by omission. */
type WriteOnlyRule<Who extends Access> = Who extends 'agent'
  ? { readonly writeOnlyKeys: WriteOnlyKeys }
  : { readonly writeOnlyKeys?: undefined };

/** The entries of the audit trail that an operation may write, or in a sentence why it writes none. */
export type Trail = readonly [AuditAction, ...AuditAction[]] | string;

/** The trail of a POST that changes nothing. */
export const readsOnly = 'It only reads.';

export interface Operation<
  Params extends TProperties = TProperties,
  Query extends TProperties = TProperties,
  Body extends TSchema | undefined = TSchema | undefined,
  Answer extends TSchema | undefined = TSchema | undefined,
  Who extends Access = Access,
  Headers extends TProperties = TProperties,
  Bytes extends ByteFlow | undefined = ByteFlow | undefined,
> {
  readonly method: Method;
  readonly path: string;
  readonly resource: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly deprecated: boolean;
  readonly access: Who;
  readonly writeOnlyKeys: WriteOnlyKeys | undefined;
  readonly acts: readonly Act[];
  readonly lists: RecordKind | undefined;
  readonly params: TObject<Params>;
  readonly query: TObject<Query>;
  readonly headers: TObject<Headers>;
  readonly body: Body;
  readonly bodyOptional: boolean;
  readonly bodyBytes: number | undefined;
  readonly nullIsMissing: boolean;
  readonly bytes: Bytes;
  readonly bytesType: string | undefined;
  readonly bytesOptional: boolean;
  readonly success: Success | undefined;
  readonly answerHeaders: Readonly<Record<string, string>>;
  readonly fixedHeaders: Readonly<Record<string, string>>;
  readonly answer: Answer;
  readonly answerOptional: boolean;
  readonly media: readonly MediaType[];
  readonly errors: readonly ErrorStatus[];
  readonly textErrors: boolean;
  readonly sameOrigin: boolean;
  readonly asPost: boolean;
  readonly gateway: Gateway | undefined;
  readonly trail: Trail | undefined;
  readonly repetition: Repetition;
}

/** Names the method of a request that is sent as POST, by its name in lower case. */
export const methodOverrideHeader = 'x-http-method-override';

const json: readonly MediaType[] = ['application/json'];

/** Declares an endpoint. Everything else (validation, types, OpenAPI, client, routes) is derived from it. */
export function operation<
  const Params extends TProperties = Record<never, never>,
  const Query extends TProperties = Record<never, never>,
  const Body extends TSchema | undefined = undefined,
  const Answer extends TSchema | undefined = undefined,
  const Who extends Access = Access,
  const Headers extends TProperties = Record<never, never>,
  const Bytes extends ByteFlow | undefined = undefined,
>(
  resource: string,
  declared: Declaration<Params, Query, Body, Answer, Who, Headers, Bytes> & Recorded & WriteOnlyRule<Who>,
): Operation<Params, Query, Body, Answer, Who, Headers, Bytes> {
  return Object.freeze({
    method: declared.method,
    path: declared.path,
    resource,
    summary: declared.summary,
    description: declared.description,
    deprecated: declared.deprecated ?? false,
    access: declared.access,
    writeOnlyKeys: declared.writeOnlyKeys,
    acts: declared.acts,
    lists: declared.lists,
    params: Type.Object((declared.params ?? {}) as Params),
    query: Type.Object((declared.query ?? {}) as Query),
    headers: Type.Object((declared.headers ?? {}) as Headers),
    body: declared.body as Body,
    bodyOptional: declared.bodyOptional ?? false,
    bodyBytes: declared.bodyBytes,
    nullIsMissing: declared.nullIsMissing ?? declared.method === 'POST',
    bytes: declared.bytes as Bytes,
    bytesType: declared.bytesType,
    bytesOptional: declared.bytesOptional ?? false,
    success: declared.success,
    answerHeaders: declared.answerHeaders ?? {},
    fixedHeaders: declared.fixedHeaders ?? {},
    answer: declared.answer as Answer,
    answerOptional: declared.answerOptional ?? false,
    media: declared.media ?? json,
    errors: declaredErrors(declared),
    textErrors: declared.textErrors ?? false,
    sameOrigin: declared.sameOrigin ?? false,
    asPost: declared.asPost ?? false,
    gateway: declared.gateway,
    trail: declared.trail,
    repetition: repetitionOf(declared),
  });
}

function declaredErrors(
  declared: Declaration<
    TProperties,
    TProperties,
    TSchema | undefined,
    TSchema | undefined,
    Access,
    TProperties,
    ByteFlow | undefined
  > &
    Recorded,
): readonly ErrorStatus[] {
  const errors = new Set<ErrorStatus>([429, 503, ...(declared.errors ?? [])]);
  // No 406: a media player sends its preferred types in Accept, but a recording has only one type.
  if (declared.bytes === 'sent') for (const status of [412, 416] as const) errors.add(status);
  else errors.add(406);
  const takesInput = [declared.params, declared.query, declared.headers, declared.body].some(Boolean);
  if (takesInput) errors.add(400);
  if (declared.access !== 'anyone') for (const status of [401, 403, 419] as const) errors.add(status);
  if (declared.sameOrigin) errors.add(403);
  if (repetitionOf(declared) === 'adds') errors.add(409);
  if (declared.method !== 'GET' && declared.method !== 'HEAD') errors.add(413);
  if (declared.body || declared.bytes === 'received') errors.add(415);
  for (const act of declared.acts) {
    errors.add(act.hidden ?? 404);
    errors.add(act.denied ?? 403);
  }
  return [...errors].toSorted((a, b) => a - b);
}

type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

/** The validated input of a handler. */
export interface InputOf<Op extends Operation> {
  readonly params: Static<Op['params']>;
  readonly query: Static<Op['query']>;
  readonly headers: Static<Op['headers']>;
  readonly body: StaticOf<Op['body']>;
}

export type AnswerOf<Op extends Operation> = StaticOf<Op['answer']>;
