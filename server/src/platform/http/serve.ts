import type { AnswerOf, InputOf, Operation } from '@earshot/contract/operation';
import { plainMedia } from '@earshot/contract/operation';
import { compileSerialiser } from '@earshot/contract/serialisation';
import type { FastifyReply, FastifyRequest, HTTPMethods, onRequestHookHandler } from 'fastify';
import type { Refusal } from '../../errors.ts';
import type { HttpApp } from './http-app.ts';
import { answerError, recordRequest } from './http-app.ts';
import type { Caller } from './caller.ts';
import { admitBody } from './caller.ts';
import { admitDevice } from './door/admission.ts';
import { challenge, enter } from './door/entry.ts';
import type { Exchange } from './exchange.ts';
import { HttpExchange } from './exchange.ts';
import { chooseMedia } from './answer/negotiation.ts';
import { refusalOf } from './answer/problem.ts';
import { bodyBytes, compileReader } from './read/reading.ts';
import { routerPath } from './templates.ts';

export interface Call<Op extends Operation> extends InputOf<Op> {
  readonly caller: Op['access'] extends 'anyone' ? undefined : Caller;
  readonly exchange: Exchange;
}

export type Handler<Op extends Operation> = (call: Call<Op>) => Promise<unknown> | AnswerOf<Op>;

/**
 * Serves an operation of the contract. Every route is created here or in one of its variants; what takes an idempotency key,
 * in serve-once.ts.
 */
export function serve<const Op extends Operation>(http: HttpApp, operation: Op, handler: Handler<Op>): void {
  if (operation.repetition === 'adds') throw new Error(`${operation.path} takes a key: serve it with serveOnce`);
  const write = operation.answer ? compileSerialiser(operation.answer) : undefined;
  routeOperation(http, operation, async (call, request, reply) => {
    const answer = await handler(call);
    if (operation.success) reply.code(operation.success.status);
    if (!write || (answer === undefined && operation.answerOptional)) return reply.send();
    reply.header('content-type', `${request.media}; charset=utf-8`);
    const isPlain = request.media !== undefined && plainMedia.includes(request.media);
    return reply.send(typeof answer === 'string' && isPlain ? answer : write(answer));
  });
}

export type Answer<Op extends Operation> = (
  call: Call<Op>,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<unknown>;

/** Creates a route: the request is checked, confirmed and read before `answer` is called. */
export function routeOperation<const Op extends Operation>(
  http: HttpApp,
  operation: Op,
  answer: Answer<Op>,
  methods: HTTPMethods | HTTPMethods[] = operation.method,
): void {
  const { options } = http;
  const read = compileReader(operation, http.validator);
  http.fastify.route({
    method: methods,
    url: routerPath(operation.path),
    config: { operationName: claimName(http, operation) },
    ...(operation.bodyBytes === undefined ? {} : { bodyLimit: operation.bodyBytes }),
    onRequest: enterFirst(http, operation),
    handler: async (request, reply) => {
      if (request.confirm) await request.confirm(bodyBytes(request));
      const call: unknown = { ...read(request), caller: request.caller, exchange: new HttpExchange(request, reply) };
      if (request.caller) admitBody(operation, request.caller, (call as Call<Op>).body);
      return answer(call as Call<Op>, request, reply);
    },
    errorHandler: (error, request, reply) => {
      const refusal = challenge(request, refusalOf(error));
      if (refusal.status === 400 && operation.textErrors) answerText(operation, refusal, request, reply);
      else answerError(options, refusal, request, reply);
    },
  });
}

/** Records a request whose client disconnects before the end of the response, which Fastify does not. */
export function recordIfCutOff({ options }: HttpApp, request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = reply;
  raw.once('close', () => {
    if (!raw.writableFinished) recordRequest(options, request, reply, request.routeOptions.config.operationName);
  });
}

/** The hook that decides by the request head whether the request is accepted. */
export const enterFirst =
  ({ options, admission }: HttpApp, operation: Operation): onRequestHookHandler =>
  (request, reply, done) => {
    reply.headers(operation.fixedHeaders);
    try {
      admitDevice(admission, operation, request, reply);
      const entering = enter(options, operation, request);
      if (entering) entering.then(() => done(), done);
      else done();
    } catch (error) {
      done(error as Error);
    }
  };

export function claimName({ names, served }: HttpApp, operation: Operation): string {
  const name = names.get(operation);
  if (name === undefined) throw new Error(`${operation.method} ${operation.path} is not in the contract`);
  if (!['anyone', 'session', 'admin', 'caller', 'agent'].includes(operation.access)) {
    throw new Error(`the operation ${name} does not declare who may call it`);
  }
  if (served.has(name)) throw new Error(`the operation ${name} is served twice`);
  served.set(name, operation);
  return name;
}

/** An exception that the specification requires: the 400 of agent registration is a string. */
function answerText(operation: Operation, refusal: Refusal, request: FastifyRequest, reply: FastifyReply): void {
  const media = request.media ?? chooseMedia(request.headers.accept, operation.media);
  const text = media === 'text/plain' ? refusal.message : JSON.stringify(refusal.message);
  reply.code(refusal.status).type(`${media}; charset=utf-8`).send(text);
}
