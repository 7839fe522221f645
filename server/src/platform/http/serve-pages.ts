import { Readable } from 'node:stream';
import type { MediaType, Operation } from '@earshot/contract/operation';
import { compileSerialiser } from '@earshot/contract/serialisation';
import type { TArray } from 'typebox';
import type { HttpApp } from './http-app.ts';
import type { Call } from './serve.ts';
import { routeOperation } from './serve.ts';

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
  routeOperation(http, operation, async (call: Call<Op>, request, reply) => {
    const parts = handler(call, request.media);
    const first = await parts.next();
    reply.header('content-type', `${request.media}; charset=utf-8`);
    return reply.send(Readable.from(writeParts(first, parts), { objectMode: false }));
  });
}

async function* writeParts(first: IteratorResult<string>, parts: AsyncGenerator<string>): AsyncGenerator<string> {
  for (let part = first; !part.done; part = await parts.next()) yield part.value;
}
