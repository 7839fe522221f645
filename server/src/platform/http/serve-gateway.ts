import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Operation } from '@earshot/contract/operation';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Refusal } from '../../errors.ts';
import { answerBeforeEnd, liftArrivalLimit } from './door/arrival.ts';
import { refusalOf } from './answer/problem.ts';
import type { HttpApp } from './http-app.ts';
import { logRefusal, recordRequest } from './http-app.ts';
import type { ReceivedBytes } from './read/body-stream.ts';
import { BodyStream } from './read/body-stream.ts';
import { compileReader } from './read/reading.ts';
import { claimName, enterFirst } from './serve.ts';
import { streamHeaders } from './serve-stream.ts';
import { routerPath } from './templates.ts';

/** A request of another protocol. */
export interface GatewayCall {
  readonly params: Readonly<Record<string, unknown>>;
  readonly address: string;
  readonly contentType: string | undefined;
  readonly authorization: string | undefined;
  readonly body: ReceivedBytes;
  /** Aborts when the caller closes the connection. */
  readonly hungUp: AbortSignal;
}

/** A response as the clients of the protocol expect it. */
export interface GatewayAnswer {
  readonly status: number;
  readonly type?: string;
  readonly text: string;
}

/** A response of server-sent events, as they become known. If they fail, the last one is the refusal. */
export interface GatewayStream {
  readonly events: AsyncIterable<string>;
}

export interface GatewayProtocol {
  handle(call: GatewayCall): Promise<GatewayAnswer | GatewayStream>;
  /** The response to a refused request. */
  refuse(refusal: Refusal): GatewayAnswer;
}

/** Serves an operation of another protocol. */
export function serveGateway(http: HttpApp, operation: Operation, protocol: GatewayProtocol): void {
  const name = claimName(http, operation);
  const { options } = http;
  const read = compileReader(operation, http.validator);
  /** Entering removes the header. */
  const contentTypes = new WeakMap<IncomingMessage, string>();

  const route = (fastify: FastifyInstance): void => {
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser('*', (_request, _payload, done) => done(null));
    fastify.route({
      method: operation.method,
      url: routerPath(operation.path),
      config: { operationName: name },
      onRequest: [
        (request, _reply, done) => {
          const { 'content-type': contentType } = request.headers;
          if (contentType !== undefined) contentTypes.set(request.raw, contentType);
          done();
        },
        enterFirst(http, operation),
      ],
      handler: async (request, reply) => {
        liftArrivalLimit(request.raw);
        const hungUp = new AbortController();
        reply.raw.once('close', () => {
          if (!reply.raw.writableFinished) hungUp.abort();
        });
        const body = new BodyStream(request.raw, options.bodyIdleMs);
        request.raw.once('close', () => options.metrics.countUpload(body.receivedBytes));
        const { params } = read(request);
        const answer = await protocol.handle({
          params,
          address: request.ip,
          contentType: contentTypes.get(request.raw),
          authorization: request.headers.authorization,
          body,
          hungUp: hungUp.signal,
        });
        answerBeforeEnd(request.raw, reply.raw);
        if ('text' in answer) return write(reply, answer);
        const events = refuseInStream(answer.events, (error) => {
          const refusal = refusalOf(error);
          logRefusal(options, refusal, request.id);
          return protocol.refuse(refusal).text;
        });
        // Fastify does not record a stream that the client ends.
        reply.raw.once('close', () => {
          if (!reply.raw.writableFinished) recordRequest(options, request, reply, name);
        });
        return reply.headers(streamHeaders).send(Readable.from(events));
      },
      errorHandler: (error, request, reply) => {
        answerBeforeEnd(request.raw, reply.raw);
        const refusal = refusalOf(error);
        logRefusal(options, refusal, request.id);
        reply.headers(refusal.headers);
        void write(reply, protocol.refuse(refusal));
      },
    });
  };
  http.fastify.register((fastify, _options, done) => {
    route(fastify);
    done();
  });
}

const write = (reply: FastifyReply, { status, type = 'text/plain; charset=utf-8', text }: GatewayAnswer) =>
  reply.code(status).type(type).send(text);

async function* refuseInStream(
  events: AsyncIterable<string>,
  refuse: (error: unknown) => string,
): AsyncGenerator<string> {
  try {
    yield* events;
  } catch (error) {
    yield `data: ${refuse(error)}\n\n`;
  }
}
