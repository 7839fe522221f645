import { createHash } from 'node:crypto';
import type { AnswerOf, Operation } from '@earshot/contract/operation';
import { idempotencyHeader } from '@earshot/contract/repetition';
import type { onceHeaders } from '@earshot/contract/repetition';
import { compileSerialiser } from '@earshot/contract/serialisation';
import type { FastifyRequest } from 'fastify';
import type { TProperties, TSchema } from 'typebox';
import type { Db, Pool } from '../database/connect.ts';
import type { Caller } from './caller.ts';
import type { HttpApp } from './http-app.ts';
import { bodyBytes } from './read/reading.ts';
import type { Call } from './serve.ts';
import { routeOperation } from './serve.ts';

/** A request with an idempotency key. */
export interface OnceRequest {
  readonly caller: Caller;
  readonly operation: string;
  readonly key: string;
  /** A hash of everything that the request asks for. */
  readonly request: Buffer;
}

/**
 * Does the work once for the key, and returns the same answer for each request with it. `requireRead` throws if the caller
 * may not read what a kept answer tells.
 */
export type AnswerOnce = (
  once: OnceRequest,
  work: (db: Pool) => Promise<string | undefined>,
  requireRead: (db: Db, answer: string | undefined) => Promise<unknown>,
) => Promise<string | undefined>;

type OnceOperation = Operation<
  TProperties,
  TProperties,
  TSchema | undefined,
  TSchema | undefined,
  'caller' | 'agent' | 'admin',
  typeof onceHeaders
>;

/** For an answer without a body. */
export const tellsNothing = async (): Promise<void> => {};

/**
 * Serves an operation that would do the same once more if it were sent again. `act` must have no effect but in `db`: with a
 * key this is one transaction, which also keeps the answer. `requireRead` throws what reading the record would throw: it is
 * called before a kept answer is sent again, because the caller may have lost a right.
 */
export function serveOnce<const Op extends OnceOperation>(
  http: HttpApp,
  operation: Op,
  db: Pool,
  act: (call: Call<Op>, db: Pool) => Promise<unknown>,
  requireRead: (call: Call<Op>, db: Db, answer: AnswerOf<Op>) => Promise<unknown>,
): void {
  const { answerOnce } = http.options;
  const serialise = operation.answer ? compileSerialiser(operation.answer) : undefined;
  const name = http.names.get(operation) ?? '';
  routeOperation(http, operation, async (call: Call<Op>, request, reply) => {
    const work = async (within: Pool) => {
      const answer = await act(call, within);
      return serialise?.(answer);
    };
    const key = call.headers[idempotencyHeader];
    const answer =
      key === undefined
        ? await work(db)
        : await answerOnce(
            { caller: call.caller as Caller, operation: name, key, request: hashRequest(request) },
            work,
            (within, text) => requireRead(call, within, (text === undefined ? text : JSON.parse(text)) as AnswerOf<Op>),
          );
    if (answer === undefined) return reply.send();
    return reply.header('content-type', `${request.media}; charset=utf-8`).send(answer);
  });
}

const hashRequest = (request: FastifyRequest): Buffer =>
  createHash('sha256').update(`${request.originalUrl}\n`).update(bodyBytes(request)).digest();
