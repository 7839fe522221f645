import type { Operation } from '@earshot/contract/operation';
import type { HttpApp } from './http-app.ts';
import { answerError, recordRequest } from './http-app.ts';
import { challenge } from './door/entry.ts';
import type { EventStream } from './answer/event-stream.ts';
import { createEventStream } from './answer/event-stream.ts';
import { HttpExchange } from './exchange.ts';
import { refusalOf } from './answer/problem.ts';
import { bodyBytes, compileReader } from './read/reading.ts';
import type { Call } from './serve.ts';
import { claimName, enterFirst } from './serve.ts';
import { routerPath } from './templates.ts';

/** Checks the request while a refusal can still be sent, and returns the function that fills the stream. */
export type StreamHandler<Op extends Operation> = (call: Call<Op>) => Promise<(stream: EventStream) => void>;

export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Without it, proxies such as nginx hold events back until a buffer is full.
  'x-accel-buffering': 'no',
};

/** Serves an operation that responds with server-sent events, with the same checks as every other operation. */
export function serveStream<const Op extends Operation>(
  http: HttpApp,
  operation: Op,
  handler: StreamHandler<Op>,
): void {
  const name = claimName(http, operation);
  const { options } = http;
  const read = compileReader(operation, http.validator);

  http.fastify.route({
    method: operation.method,
    url: routerPath(operation.path),
    config: { operationName: name },
    onRequest: enterFirst(options, operation),
    handler: async (request, reply) => {
      if (request.confirm) await request.confirm(bodyBytes(request));
      const call: unknown = { ...read(request), caller: request.caller, exchange: new HttpExchange(request, reply) };
      const fill = await handler(call as Call<Op>);
      reply.headers(streamHeaders);
      if (request.method === 'HEAD') return reply.send();
      reply.hijack();
      const { raw } = reply;
      // Most streams end when the client disconnects, and Fastify does not record such a request.
      raw.once('close', () => {
        if (!raw.writableFinished) recordRequest(options, request, reply, name);
      });
      raw.writeHead(200, reply.getHeaders() as Record<string, string>);
      raw.flushHeaders();
      return fill(createEventStream(raw));
    },
    errorHandler: (error, request, reply) =>
      void answerError(options, challenge(request, refusalOf(error)), request, reply),
  });
}
