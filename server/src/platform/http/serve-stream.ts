import type { Operation } from '@earshot/contract/operation';
import type { HttpApp } from './http-app.ts';
import type { EventStream } from './answer/event-stream.ts';
import { createEventStream } from './answer/event-stream.ts';
import type { Call } from './serve.ts';
import { recordIfCutOff, routeOperation } from './serve.ts';

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
  routeOperation(http, operation, async (call: Call<Op>, request, reply) => {
    const fill = await handler(call);
    reply.headers(streamHeaders);
    if (request.method === 'HEAD') return reply.send();
    reply.hijack();
    const { raw } = reply;
    // Most streams end when the client disconnects.
    recordIfCutOff(http, request, reply);
    raw.writeHead(200, reply.getHeaders() as Record<string, string>);
    raw.flushHeaders();
    return fill(createEventStream(raw));
  });
}
