import type { Readable } from 'node:stream';
import type { Operation } from '@earshot/contract/operation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../../errors.ts';
import type { ByteRange } from '../../storage/storage.ts';
import type { HttpApp } from '../http-app.ts';
import { contentRange, readByteRange } from './byte-range.ts';
import { judgeConditions, rangeApplies } from './conditions.ts';
import { safeHeaders } from './content-headers.ts';
import type { WritePace } from './write-pace.ts';
import type { Answer, Call } from '../serve.ts';
import { recordIfCutOff, routeOperation } from '../serve.ts';

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
  const sendBytes: Answer<Op> = async (call, request, reply) => {
    const content = await handler(call);
    const { raw } = reply;
    // Drops a client that receives nothing within the timeout and closes the source; it can continue with a range
    // request.
    raw.setTimeout(http.options.bodyIdleMs, () => void raw.destroy());
    // Most players disconnect before the end.
    recordIfCutOff(http, request, reply);
    return answer(request, reply, content, http.paceWrites);
  };
  routeOperation(http, operation, sendBytes, ['GET', 'HEAD']);
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
