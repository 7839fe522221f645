import type { Readable } from 'node:stream';
import type { Operation } from '@earshot/contract/operation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../../errors.ts';
import type { ByteRange } from '../../storage/storage.ts';
import type { HttpApp } from '../http-app.ts';
import { answerError, recordRequest } from '../http-app.ts';
import { contentRange, readByteRange } from './byte-range.ts';
import { judgeConditions, rangeApplies } from './conditions.ts';
import { safeHeaders } from './content-headers.ts';
import { challenge } from '../door/entry.ts';
import { HttpExchange } from '../exchange.ts';
import { refusalOf } from './problem.ts';
import type { WritePace } from './write-pace.ts';
import { bodyBytes, compileReader } from '../read/reading.ts';
import type { Call } from '../serve.ts';
import { claimName, enterFirst } from '../serve.ts';
import { routerPath } from '../templates.ts';

/** Bytes to send, and their metadata. */
export interface Content {
  readonly size: number;
  readonly contentType: string;
  readonly filename: string;
  /** Identifies exactly these bytes: letters, digits and `-`. */
  readonly version: string;
  readonly lastModified: Date;
  read(range?: ByteRange): Promise<Readable>;
}

export type ContentHandler<Op extends Operation> = (call: Call<Op>) => Promise<Content>;

/**
 * Serves an operation that responds with bytes: the whole or a range, and 304 if the client has the current version.
 */
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
      // Drops a client that receives nothing within the timeout and closes the source; it can continue with a range
      // request.
      raw.setTimeout(options.bodyIdleMs, () => void raw.destroy());
      // Most players disconnect before the end, and Fastify does not record such a request.
      raw.once('close', () => {
        if (!raw.writableFinished) recordRequest(options, request, reply, name);
      });
      return answer(request, reply, content, http.paceWrites);
    },
    errorHandler: (error, request, reply) =>
      void answerError(options, challenge(request, refusalOf(error)), request, reply),
  });
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Content,
  paceWrites: WritePace,
): Promise<FastifyReply> {
  const { headers, method } = request;
  const { size, lastModified } = content;
  const validators = { etag: `"${content.version}"`, lastModified };
  const verdict = judgeConditions(headers, validators);
  if (verdict === 'failed')
    throw new Refusal(
      'preconditionFailed',
      'The file has changed: this is not the version that the request names. Read it again.',
    );
  const known = {
    etag: validators.etag,
    'last-modified': lastModified.toUTCString(),
    // Only the client may cache the bytes, and must revalidate them each time, because its access may have ended.
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
  };
  if (verdict === 'not modified') return reply.code(304).headers(known).send();

  const range = method === 'GET' && rangeApplies(headers, validators) ? readByteRange(headers.range, size) : undefined;
  if (range === 'unsatisfiable') {
    const rangeHeaders = { 'content-range': `bytes */${size}`, 'accept-ranges': 'bytes' };
    throw new Refusal('rangeNotSatisfiable', `The range is outside of the ${size} bytes of this file.`, {
      headers: rangeHeaders,
    });
  }
  const source = method === 'GET' ? await content.read(range) : undefined;
  reply.headers({ ...known, ...safeHeaders(content.contentType, content.filename) });
  if (range) reply.code(206).header('content-range', contentRange(range, size));
  reply.header('content-length', range ? range.end - range.start : size);
  return reply.send(source && paceWrites(source));
}
