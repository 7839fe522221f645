import type { Readable } from 'node:stream';
import type { Operation } from '@earshot/contract/operation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../errors.ts';
import type { HttpApp } from './app.ts';
import { answerError, recordRequest } from './app.ts';
import type { ByteRange } from './byte-range.ts';
import { contentRange, readRange } from './byte-range.ts';
import { judgeConditions, rangeApplies } from './conditions.ts';
import { safeHeaders } from './content-headers.ts';
import { challenge } from './entry.ts';
import { HttpExchange } from './exchange.ts';
import { refusalOf } from './problem.ts';
import { bodyBytes, compileReader } from './reading.ts';
import type { Call } from './serve.ts';
import { claimName, enterFirst } from './serve.ts';
import { routerPath } from './templates.ts';

/** Bytes to be sent, and what is known of them. */
export interface Content {
  readonly size: number;
  readonly contentType: string;
  readonly filename: string;
  /** Names these very bytes: letters, digits and `-`. */
  readonly version: string;
  readonly lastModified: Date;
  read(range?: ByteRange): Promise<Readable>;
}

export type ContentHandler<Op extends Operation> = (call: Call<Op>) => Promise<Content>;

/** Serves an operation that answers with bytes: whole or in part, and only when the reader does not have them yet. */
export function sendContent<const Op extends Operation>(
  http: HttpApp,
  operation: Op,
  handler: ContentHandler<Op>,
): void {
  const name = claimName(http, operation);
  const { options } = http;
  const read = compileReader(operation, http.validator);

  http.fastify.route({
    method: ['GET', 'HEAD'],
    url: routerPath(operation.path),
    config: { operationName: name },
    onRequest: enterFirst(options, operation),
    handler: async (request, reply) => {
      if (request.confirm) await request.confirm(bodyBytes(request));
      const call: unknown = { ...read(request), caller: request.caller, exchange: new HttpExchange(request, reply) };
      const content = await handler(call as Call<Op>);
      const { raw } = reply;
      // A reader who takes nothing for a while is dropped, and the source with them: they can go on by a range.
      raw.setTimeout(options.bodyIdleMs, () => void raw.destroy());
      // Most players leave before the end, of which Fastify makes no record.
      raw.once('close', () => {
        if (!raw.writableFinished) recordRequest(options, request, reply, name);
      });
      return answer(request, reply, content);
    },
    errorHandler: (error, request, reply) =>
      void answerError(options, challenge(request, refusalOf(error)), request, reply),
  });
}

async function answer(request: FastifyRequest, reply: FastifyReply, content: Content): Promise<FastifyReply> {
  const { headers, method } = request;
  const { size, lastModified } = content;
  const validators = { etag: `"${content.version}"`, lastModified };
  const verdict = judgeConditions(headers, validators);
  if (verdict === 'failed') throw new Refusal('preconditionFailed', 'This is no longer the version that you name.');
  const known = {
    etag: validators.etag,
    'last-modified': lastModified.toUTCString(),
    // Kept by its reader alone, and asked for again each time: a right may have ended.
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
  };
  if (verdict === 'not modified') return reply.code(304).headers(known).send();

  const range = method === 'GET' && rangeApplies(headers, validators) ? readRange(headers.range, size) : undefined;
  if (range === 'unsatisfiable') {
    const told = { 'content-range': `bytes */${size}`, 'accept-ranges': 'bytes' };
    throw new Refusal('rangeNotSatisfiable', `There are ${size} bytes; the range lies outside.`, { headers: told });
  }
  const source = method === 'GET' ? await content.read(range) : undefined;
  reply.headers({ ...known, ...safeHeaders(content.contentType, content.filename) });
  if (range) reply.code(206).header('content-range', contentRange(range, size));
  reply.header('content-length', range ? range.end - range.start : size);
  return reply.send(source);
}
