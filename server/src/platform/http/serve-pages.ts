import { Readable } from 'node:stream';
import type { MediaType, Operation } from '@earshot/contract/operation';
import { compileSerialiser } from '@earshot/contract/serialisation';
import type { TArray } from 'typebox';
import type { HttpApp } from './http-app.ts';
import { answerError } from './http-app.ts';
import { challenge } from './door/entry.ts';
import { HttpExchange } from './exchange.ts';
import { refusalOf } from './answer/problem.ts';
import { bodyBytes, compileReader } from './read/reading.ts';
import type { Call } from './serve.ts';
import { claimName, enterFirst } from './serve.ts';
import { routerPath } from './templates.ts';

/** Yields the list page by page; only one page is in memory at a time. */
export type PageHandler<Op extends Operation> = (call: Call<Op>) => AsyncGenerator<readonly unknown[]>;

type ListOperation = Operation & { readonly answer: TArray };

/**
 * Serves an operation that responds with a list of any length. The first page is read before the response begins, so an
 * error there is a proper refusal. A later error cuts the response off, which leaves invalid JSON.
 */
export function serveListInPages<const Op extends ListOperation>(
  http: HttpApp,
  operation: Op,
  handler: PageHandler<Op>,
): void {
  const write = compileSerialiser(operation.answer.items);
  serveTextInPages(http, operation, (call: Call<Op>) => writePages(handler(call), write));
}

async function* writePages(
  pages: AsyncGenerator<readonly unknown[]>,
  write: (item: unknown) => string,
): AsyncGenerator<string> {
  let lead = '[';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield lead + page.map(write).join(',');
    lead = ',';
  }
  yield lead === '[' ? '[]' : ']';
}

/** Yields a text in parts. `media` is the content type that the client chose. */
export type TextHandler<Op extends Operation> = (
  call: Call<Op>,
  media: MediaType | undefined,
) => AsyncGenerator<string>;

/** Serves an operation that responds with a text of any length. The first part is made before the response begins. */
export function serveTextInPages<const Op extends Operation>(
  http: HttpApp,
  operation: Op,
  handler: TextHandler<Op>,
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
      const parts = handler(call as Call<Op>, request.media);
      const first = await parts.next();
      reply.header('content-type', `${request.media}; charset=utf-8`);
      return reply.send(Readable.from(writeParts(first, parts), { objectMode: false }));
    },
    errorHandler: (error, request, reply) =>
      void answerError(options, challenge(request, refusalOf(error)), request, reply),
  });
}

async function* writeParts(first: IteratorResult<string>, parts: AsyncGenerator<string>): AsyncGenerator<string> {
  for (let part = first; !part.done; part = await parts.next()) yield part.value;
}
