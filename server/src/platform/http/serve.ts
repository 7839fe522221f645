import type { AnswerOf, InputOf, Operation } from '@earshot/contract/operation';
import { readTextValues } from '@earshot/contract/path-values';
import { compileSerialiser } from '@earshot/contract/serialisation';
import { signedScheme } from '@earshot/contract/signing';
import type { FieldError, Validate } from '@earshot/contract/validation';
import { compileRequest } from '@earshot/contract/validation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { forbidden, invalid, invalidField, Refusal } from '../../errors.ts';
import type { HttpApp, HttpOptions } from './app.ts';
import { answerError } from './app.ts';
import type { Caller } from './caller.ts';
import { admit } from './caller.ts';
import { parseJsonText, textFault } from './json-text.ts';
import { chooseMedia, requireJson } from './negotiation.ts';
import { isBrowserFetch, namesAnotherOrigin } from './origin.ts';
import { parseQueryText, singleValues } from './query-text.ts';
import { refusalOf } from './problem.ts';
import { routerPath } from './templates.ts';

/** What a handler may know and say beyond the validated request. */
export interface Exchange {
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly authorization: string | undefined;
  readonly secure: boolean;
  /** This server as the caller addressed it, when no public URL is configured. */
  readonly ownOrigin: string;
  setHeader(name: string, value: string): void;
}

export interface Call<Op extends Operation> extends InputOf<Op> {
  readonly caller: Op['access'] extends 'anyone' ? undefined : Caller;
  readonly exchange: Exchange;
}

export type Handler<Op extends Operation> = (call: Call<Op>) => Promise<unknown> | AnswerOf<Op>;

/** Serves an operation of the contract: the one way in for every route. */
export function serve<const Op extends Operation>(http: HttpApp, operation: Op, handler: Handler<Op>): void {
  const name = http.names.get(operation);
  if (name === undefined) throw new Error(`${operation.method} ${operation.path} is not in the contract`);
  if (!['anyone', 'session', 'admin', 'caller', 'agent'].includes(operation.access)) {
    throw new Error(`the operation ${name} does not declare who may call it`);
  }
  if (http.served.has(name)) throw new Error(`the operation ${name} is served twice`);
  http.served.set(name, operation);

  const { options } = http;
  const read = compileReader(operation);
  const write = operation.answer ? compileSerialiser(operation.answer) : undefined;

  http.fastify.route({
    method: operation.method,
    url: routerPath(operation.path),
    config: { operationName: name },
    // Before the body is read, so that nobody unknown can make the server take in a large one.
    onRequest: async (request) => {
      refuseOtherOrigins(options, operation, request);
      if (operation.access === 'anyone') options.rateLimit.take(request.ip);
      else {
        const { caller, confirm } = await identify(options, request);
        admit(operation.access, caller);
        request.caller = caller;
        request.confirm = confirm;
      }
      if (operation.body) requireJson(request.headers['content-type'], request.headers['content-encoding']);
      chooseMedia(request.headers.accept, operation.media);
    },
    handler: async (request, reply) => {
      if (request.confirm) await request.confirm(bodyBytes(request));
      const call = {
        ...read(request),
        caller: request.caller,
        exchange: exchangeOf(request, reply),
      } as Call<Op>;
      const answer = await handler(call);
      const media = chooseMedia(request.headers.accept, operation.media);
      if (!write) return reply.send();
      reply.type(`${media}; charset=utf-8`);
      return reply.send(typeof answer === 'string' && media === 'text/plain' ? answer : write(answer));
    },
    errorHandler: (error, request, reply) => {
      const refusal = challenge(request, refusalOf(error));
      if (refusal.status === 400 && operation.textErrors) answerText(operation, refusal, request, reply);
      else answerError(options, refusal, request, reply);
    },
  });
}

function refuseOtherOrigins(
  { authenticator, publicOrigin }: HttpOptions,
  operation: Operation,
  request: FastifyRequest,
) {
  const guarded =
    operation.sameOrigin || (operation.access !== 'anyone' && authenticator.carriesSession(request.headers));
  if (guarded && namesAnotherOrigin(request.headers, request.host, publicOrigin)) {
    throw forbidden('A web session cannot be used from another site.');
  }
}

async function identify({ authenticator, rateLimit }: HttpOptions, request: FastifyRequest) {
  const facts = { method: request.method, url: request.raw.url ?? '/', headers: request.headers, address: request.ip };
  try {
    const identified = authenticator.identify(facts);
    // A credential that must be looked up may be a guess, and guesses are counted against the address.
    if (identified instanceof Promise) rateLimit.requireLeft(request.ip);
    const result = await identified;
    rateLimit.take(result.caller.credential);
    return result;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unauthenticated') rateLimit.take(request.ip);
    throw error;
  }
}

const bodyBytes = (request: FastifyRequest): Buffer => (Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));

/** Compiles the way from bytes to the validated request, reporting every fault of a part at once. */
function compileReader(operation: Operation): (request: FastifyRequest) => InputOf<Operation> {
  const validate = compileRequest(operation);
  const hasParams = Object.keys(operation.params.properties).length > 0;
  const hasQuery = Object.keys(operation.query.properties).length > 0;
  return (request) => {
    const params = hasParams ? readParams(operation, request, validate.params) : {};
    const query = hasQuery ? readQuery(operation, request, validate.query) : {};
    const body = validate.body ? readBody(operation, request, validate.body) : undefined;
    return { params, query, body };
  };
}

function readParams(operation: Operation, request: FastifyRequest, validate: Validate): Record<string, unknown> {
  const texts = request.params as Record<string, string>;
  for (const [name, value] of Object.entries(texts)) {
    const fault = textFault(value);
    if (fault) throw invalidField(name, fault);
  }
  return checked(readTextValues(operation.params, texts), validate);
}

function readQuery(operation: Operation, request: FastifyRequest, validate: Validate): Record<string, unknown> {
  const pairs = parseQueryText(request.raw.url ?? '');
  return checked(readTextValues(operation.query, singleValues(pairs, operation.query.properties)), validate);
}

function readBody(operation: Operation, request: FastifyRequest, validate: Validate): unknown {
  const bytes = bodyBytes(request);
  if (bytes.length === 0) {
    if (operation.bodyOptional) return undefined;
    throw new Refusal('invalid', 'A JSON body is required.');
  }
  return checked(parseJsonText(bytes), validate);
}

function checked<Value>(value: Value, validate: Validate): Value {
  const errors: readonly FieldError[] | undefined = validate(value);
  if (errors) throw invalid(errors);
  return value;
}

function exchangeOf(request: FastifyRequest, reply: FastifyReply): Exchange {
  return {
    get address() {
      return request.ip;
    },
    get userAgent() {
      return request.headers['user-agent'];
    },
    get authorization() {
      return request.headers.authorization;
    },
    get secure() {
      return request.protocol === 'https';
    },
    get ownOrigin() {
      return `${request.protocol}://${request.host}`;
    },
    setHeader: (name, value) => void reply.header(name, value),
  };
}

const signedChallenge = `${signedScheme} realm="earshot"`;

/** A 401 says how to do better, but never so that a browser puts up its own dialog over the console. */
function challenge(request: FastifyRequest, refusal: Refusal): Refusal {
  if (refusal.code !== 'unauthenticated') return refusal;
  const basic = 'Basic realm="earshot", charset="UTF-8"';
  const schemes = isBrowserFetch(request.headers) ? signedChallenge : `${basic}, ${signedChallenge}`;
  return new Refusal(refusal.code, refusal.message, { headers: { ...refusal.headers, 'www-authenticate': schemes } });
}

/** The specification's own exception: the 400 of agent registration is a string. */
function answerText(
  operation: Operation,
  refusal: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const media = chooseMedia(request.headers.accept, operation.media);
  const text = media === 'text/plain' ? refusal.message : JSON.stringify(refusal.message);
  return reply.code(refusal.status).type(`${media}; charset=utf-8`).send(text);
}
