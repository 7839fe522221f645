import type { Operation } from '@earshot/contract/operation';
import { compileSerialiser } from '@earshot/contract/serialisation';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../../../errors.ts';
import type { HttpApp } from '../http-app.ts';
import { answerError } from '../http-app.ts';
import { answerBeforeEnd, liftArrivalLimit } from '../door/arrival.ts';
import type { ReceivedBytes } from './body-stream.ts';
import { BodyStream } from './body-stream.ts';
import { challenge } from '../door/entry.ts';
import { HttpExchange } from '../exchange.ts';
import { refusalOf } from '../answer/problem.ts';
import { compileReader } from './reading.ts';
import type { Call } from '../serve.ts';
import { claimName, enterFirst } from '../serve.ts';
import { routerPath } from '../templates.ts';

export type ReceivingHandler<Op extends Operation> = (call: Call<Op>, body: ReceivedBytes) => Promise<unknown>;

/** Held in memory until the signature is checked. */
const largestSignedBytes = 16 * 1_048_576;

/** Serves an operation whose body is a stream of bytes of any length. */
export function receiveBytes<const Op extends Operation>(
  http: HttpApp,
  operation: Op,
  handler: ReceivingHandler<Op>,
): void {
  const name = claimName(http, operation);
  const { options } = http;
  const read = compileReader(operation, http.validator);
  const write = operation.answer ? compileSerialiser(operation.answer) : undefined;

  const route = (fastify: FastifyInstance): void => {
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser('*', (_request, _payload, done) => done(null));
    fastify.route({
      method: operation.method,
      url: routerPath(operation.path),
      config: { operationName: name },
      onRequest: enterFirst(http, operation),
      handler: async (request, reply) => {
        liftArrivalLimit(request.raw);
        const stream = new BodyStream(request.raw, options.bodyIdleMs);
        const body = request.confirm ? await confirmFirst(http, request, stream) : stream;
        request.raw.once('close', () => options.metrics.countUpload(stream.receivedBytes));
        const call: unknown = { ...read(request), caller: request.caller, exchange: new HttpExchange(request, reply) };
        const answer = await handler(call as Call<Op>, body);
        answerBeforeEnd(request.raw, reply.raw);
        if (operation.success) reply.code(operation.success.status);
        if (!write) return reply.send();
        return reply.header('content-type', `${request.media}; charset=utf-8`).send(write(answer));
      },
      errorHandler: (error, request, reply) => {
        answerBeforeEnd(request.raw, reply.raw);
        answerError(options, challenge(request, refusalOf(error)), request, reply);
      },
    });
  };
  http.fastify.register((fastify, _options, done) => {
    route(fastify);
    done();
  });
}

/** The bytes of a signed request are not used before the signature is checked. */
async function confirmFirst(
  { signedBytes }: HttpApp,
  { confirm }: FastifyRequest,
  { bytes, length, signal }: ReceivedBytes,
): Promise<ReceivedBytes> {
  const refuseLarge = (size: number) => {
    if (size <= largestSignedBytes) return;
    const advice = 'upload a file in pieces (POST /v1/file), or use HTTP Basic';
    throw new Refusal('tooLarge', `A signed request may contain at most ${largestSignedBytes} bytes; ${advice}.`);
  };
  refuseLarge(length ?? 0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of bytes) {
      size += chunk.length;
      signedBytes.take(chunk.length);
      refuseLarge(size);
      chunks.push(chunk);
    }
    const whole = Buffer.concat(chunks, size);
    await confirm?.(whole);
    return { bytes: inOne(whole), length: size, signal };
  } finally {
    signedBytes.giveBack(size);
  }
}

async function* inOne(whole: Buffer): AsyncGenerator<Uint8Array> {
  if (whole.length > 0) yield whole;
}
