import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../errors.ts';
import type { HttpApp, HttpOptions } from '../../platform/http/http-app.ts';
import { pathOf } from '../../platform/http/answer/problem.ts';
import { docsAddress } from './docs/addresses.ts';
import { missingAddress } from './docs/load-docs.ts';
import type { Encoding, PageFile } from './page-file.ts';

// No resources from other servers, no inline scripts or styles, no embedding in frames.
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A year, because the name of such a file changes with its content. */
const forever = 'public, max-age=31536000, immutable';

/** Pages are not part of the API, so the contract does not declare them. Anyone may read them: they contain no data. */
export function servePages({ fastify, options }: HttpApp, pages: readonly PageFile[]): void {
  const serve = (path: string, send: (request: FastifyRequest, reply: FastifyReply) => FastifyReply): void => {
    fastify.get(path, { config: { operationName: 'page' } }, (request, reply) => {
      options.rateLimit.take(request.ip);
      return send(request, reply);
    });
  };
  const [docs, others] = [pages.filter(isOfDocs), pages.filter((page) => !isOfDocs(page))];
  for (const page of others) serve(page.path, (request, reply) => sendPage(page, request, reply));
  const docsByPath = new Map(docs.map((page) => [page.path, page]));
  // A route for each of its pages would make every start slower. The first one also takes the path without the slash.
  for (const path of [docsAddress, `${docsAddress}*`]) {
    serve(path, (request, reply) => sendDocs(docsByPath, request, reply));
  }
}

const isOfDocs = ({ path }: PageFile): boolean => path.startsWith(docsAddress);

function sendDocs(pages: ReadonlyMap<string, PageFile>, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = pathOf(request.url);
  const page = pages.get(path);
  if (page && path !== missingAddress) return sendPage(page, request, reply);
  if (pages.has(`${path}/`)) return reply.redirect(`${path}/`, 308);
  const missing = pages.get(missingAddress);
  if (missing && acceptsHtml(request)) return sendPage(missing, request, reply.code(404));
  throw new Refusal('notFound', 'The documentation has no page at this path. See /docs/ for its pages.');
}

const acceptsHtml = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') ?? false;

/** Paths with these prefixes are never pages of the console. */
const nonConsolePaths = /^\/(v1|pages|assets|docs)(\/|$)/;

/**
 * The console has paths of its own that only its script knows. A browser that opens an unknown path gets the console; a
 * program gets 404.
 */
export function answerNavigations(pages: readonly PageFile[], { rateLimit }: Pick<HttpOptions, 'rateLimit'>) {
  const index = pages.find(({ path }) => path === '/');
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined => {
    const opens = request.method === 'GET' && acceptsHtml(request);
    if (!index || !opens || nonConsolePaths.test(pathOf(request.url))) return undefined;
    rateLimit.take(request.ip);
    return sendPage(index, request, reply);
  };
}

function sendPage(page: PageFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { contentType, etag, immutable } = page;
  reply.headers({
    'content-security-policy': pagePolicy,
    'cache-control': immutable ? forever : 'no-cache',
    etag,
    vary: 'accept-encoding',
  });
  if (reply.statusCode === 200 && request.headers['if-none-match'] === etag) return reply.code(304).send();
  const encoding = chooseEncoding(page, request.headers['accept-encoding']);
  if (encoding) reply.header('content-encoding', encoding);
  return reply.type(contentType).send((encoding && page.encoded[encoding]) ?? page.body);
}

function chooseEncoding({ encoded }: PageFile, accepted: string | string[] | undefined): Encoding | undefined {
  const offers = String(accepted ?? '')
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part));
  const names = new Set(offers.map((part) => part.split(';')[0]?.trim().toLowerCase()));
  return (['br', 'gzip'] as const).find((name) => encoded[name] !== undefined && names.has(name));
}
