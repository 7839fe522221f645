import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MediaType, Operation } from '@earshot/contract/operation';
import type { Validator } from '@earshot/contract/validation';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import type { Log } from '../log.ts';
import { Refusal } from '../../errors.ts';
import type { Authenticator } from './door/authentication.ts';
import type { ByteBudget } from './door/byte-budget.ts';
import { createByteBudget } from './door/byte-budget.ts';
import type { Admission } from './door/admission.ts';
import { openAdmission } from './door/admission.ts';
import { createMethodOverride } from './door/method-override.ts';
import type { Caller } from './caller.ts';
import type { Metrics } from './door/metrics.ts';
import type { AnswerOnce } from './serve-once.ts';
import type { WritePace } from './answer/write-pace.ts';
import { createWritePace } from './answer/write-pace.ts';
import { commonHeaders, isOfStorage, pathOf, problemOf, problemType, refusalOf } from './answer/problem.ts';
import type { RateLimit } from './door/rate-limit.ts';
import { gatewayPathReader } from './door/gateway-path.ts';
import { createRequestIds } from './door/request-id.ts';
import { allowedMethods } from './templates.ts';

export interface HttpOptions {
  readonly log: Log;
  /** Sent with every response. */
  readonly version: string;
  readonly metrics: Metrics;
  readonly rateLimit: RateLimit;
  readonly authenticator: Authenticator;
  /** Networks of trusted proxies: only their X-Forwarded-For is trusted. */
  readonly trustProxy: readonly string[];
  readonly publicOrigin: string | undefined;
  /** The connection is dropped after this time without progress while a file is uploaded or downloaded. */
  readonly bodyIdleMs: number;
  readonly answerOnce: AnswerOnce;
  /** Called after the response to a request that may have changed something. */
  readonly afterChange: () => void;
  /** Answers a browser that navigates to a path without a route, if there is a page for it. */
  readonly answerNavigation?: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined;
  /** Called for every failure on the server's side. Returns true if the failure is already known and logged. */
  readonly noteFailure: (cause: unknown) => boolean;
  /** Shared by all operations, because creating a validator takes longer than compiling all schemas with it. */
  readonly validator: Validator;
  /** All operations of the contract, by name. */
  readonly operations: readonly (readonly [string, Operation])[];
}

export interface HttpApp {
  readonly options: HttpOptions;
  readonly fastify: FastifyInstance;
  readonly receive: (request: IncomingMessage, response: ServerResponse) => void;
  /** Operations that have a route, by name; compared with the contract before the app opens. */
  readonly served: Map<string, Operation>;
  readonly names: ReadonlyMap<Operation, string>;
  readonly validator: Validator;
  /** Limits the requests of devices that are worked on at the same time. */
  readonly admission: Admission;
  /** Limits the signed bodies that are held in memory until their signature is checked. */
  readonly signedBytes: ByteBudget;
  /** For responses that may have megabytes. */
  readonly paceWrites: WritePace;
}

const largestBodyBytes = 1_048_576;
// The size limit of all headers together, so that no path is truncated before validation.
const longestParam = 16_384;
const mostSignedBytes = 256 * 1_048_576;

/**
 * The contract validates and serialises. Without compilers of ours, Fastify loads a second validator at every start.
 */
function noFastifySchema(): never {
  throw new Error('a route has a schema of Fastify: declare an operation in the contract instead');
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Names the route in metrics and logs; the server does not start with a route that lacks it. */
    operationName?: string;
  }
  interface FastifyRequest {
    caller: Caller | undefined;
    confirm: ((body: Buffer) => Promise<void>) | undefined;
    /** The content type of the response. */
    media: MediaType | undefined;
  }
}

type WriteHeaders = (request: FastifyRequest, reply: FastifyReply) => void;

export function createHttpApp(options: HttpOptions): HttpApp {
  const requestId = createRequestIds();
  const readTarget = gatewayPathReader(options.operations);
  const common = commonHeaders(options.version);
  const writeCommonHeaders: WriteHeaders = (request, reply) =>
    void reply.headers(common).header('x-request-id', request.id);
  const fastify = Fastify({
    rewriteUrl: ({ url = '/' }) => readTarget(url),
    genReqId: (request) => requestId(request.headers['x-request-id']),
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    bodyLimit: largestBodyBytes,
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildValidator: noFastifySchema, buildSerializer: noFastifySchema } },
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: longestParam,
      // `serve` parses the query by the operation's declaration; parsing it here would do the work twice.
      querystringParser: () => ({}),
    },
    frameworkErrors: (error, request, reply) =>
      answerBadPath(options, writeCommonHeaders, error, request as FastifyRequest, reply as FastifyReply),
  });
  fastify.decorateRequest('caller', undefined);
  fastify.decorateRequest('confirm', undefined);
  fastify.decorateRequest('media', undefined);
  fastify.removeAllContentTypeParsers();
  // Every body is read as bytes: a signature covers bytes, and `serve` checks the content type.
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  const served = new Map<string, Operation>();
  fastify.addHook('onRoute', (route) => {
    if (!route.config?.operationName) throw new Error(`the route ${route.url} is not declared in the contract`);
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    writeCommonHeaders(request, reply);
    // Answers immediately, without reading the body of a request that has no route.
    if (request.is404) return void answerUnknownRoute(options, served, request, reply);
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    recordRequest(options, request, reply, request.routeOptions.config?.operationName);
    if (request.method !== 'GET' && request.method !== 'HEAD' && reply.statusCode < 400) options.afterChange();
    done();
  });
  fastify.setErrorHandler((error, request, reply) => answerError(options, error, request, reply));
  const names = new Map(options.operations.map(([name, operation]) => [operation, name]));
  const admission = openAdmission(options.metrics);
  const signedBytes = createByteBudget(mostSignedBytes);
  const paceWrites = createWritePace();
  const overrideMethod = createMethodOverride([...names.keys()]);
  const receive: HttpApp['receive'] = (request, response) => {
    overrideMethod(request);
    fastify.routing(request, response);
  };
  return { options, fastify, receive, served, names, validator: options.validator, admission, signedBytes, paceWrites };
}

export function recordRequest(
  { log, metrics }: HttpOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  operation = 'unknown',
): void {
  const { statusCode, elapsedTime } = reply;
  metrics.countRequest(operation, statusCode, elapsedTime / 1000);
  log.info(
    {
      requestID: request.id,
      operation,
      method: request.method,
      path: pathOf(request.originalUrl),
      status: statusCode,
      durationMs: Math.round(elapsedTime * 10) / 10,
      address: request.ip,
      credential: request.caller?.credential,
    },
    'request',
  );
}

/** Answers a path that the router cannot decode; Fastify calls no hooks in that case. */
function answerBadPath(
  options: HttpOptions,
  writeHeaders: WriteHeaders,
  cause: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const refusal = new Refusal('invalid', 'The path is not valid percent-encoded UTF-8.', { cause });
  writeHeaders(request, reply);
  answerError(options, refusal, request, reply);
  recordRequest(options, request, reply);
}

function answerUnknownRoute(
  options: HttpOptions,
  served: Map<string, Operation>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const path = pathOf(request.url);
  // Pages are not operations, but a wrong method on a page is answered the same way.
  const pageMethods = request.server.hasRoute({ method: 'GET', url: path }) ? ['GET', 'HEAD'] : [];
  const operationMethods = allowedMethods(served, path);
  const allow = operationMethods.length > 0 ? operationMethods : pageMethods;
  const page = allow.length === 0 ? options.answerNavigation?.(request, reply) : undefined;
  if (page) return page;
  const refusal =
    allow.length === 0
      ? new Refusal('notFound', 'No resource exists at this path. See /api for the description of the API.')
      : new Refusal('methodNotAllowed', `This path does not support ${request.method}; use ${allow.join(' or ')}.`, {
          headers: { allow: allow.join(', ') },
        });
  return answerError(options, refusal, request, reply);
}

export function answerError(
  { log, metrics, noteFailure }: Pick<HttpOptions, 'log' | 'metrics' | 'noteFailure'>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = refusalOf(error);
  logRefusal({ log, noteFailure }, refusal, request.id);
  metrics.countError(refusal.code);
  return reply
    .code(refusal.status)
    .headers(refusal.headers)
    .type(problemType)
    .send(JSON.stringify(problemOf(refusal, pathOf(request.originalUrl))));
}

/** Logs what the operator must know: faults of the server and failures of its disks. */
export function logRefusal(
  { log, noteFailure }: Pick<HttpOptions, 'log' | 'noteFailure'>,
  { code, cause }: Refusal,
  requestID: string,
): void {
  if (code === 'fault') log.error({ requestID, error: cause }, 'fault');
  const isKnown = cause !== undefined && noteFailure(cause);
  if (isOfStorage(cause) && !isKnown) log.error({ requestID, error: cause }, 'storage failed');
}

/** Throws unless every operation of the contract has a route. */
export function requireWholeContract({ options, served }: HttpApp): void {
  const missing = options.operations.map(([name]) => name).filter((name) => !served.has(name));
  if (missing.length > 0) throw new Error(`no route serves ${missing.join(', ')}`);
}
