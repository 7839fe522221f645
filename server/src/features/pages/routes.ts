import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpApp, HttpOptions } from '../../platform/http/http-app.ts';
import { pathOf } from '../../platform/http/answer/problem.ts';
import type { Encoding, PageFile } from './files.ts';

// No resources from other servers, no inline scripts or styles, no embedding in frames.
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A year, because the name of such a file changes with its content. */
const forever = 'public, max-age=31536000, immutable';

/** Pages are not part of the API, so the contract does not declare them. Anyone may read them: they contain no data. */
export function servePages({ fastify, options }: HttpApp, pages: readonly PageFile[]): void {
  for (const page of pages) {
    fastify.get(page.path, { config: { operationName: 'page' } }, (request, reply) => {
      options.rateLimit.take(request.ip);
      return sendPage(page, request, reply);
    });
  }
}

/** Paths with these prefixes are never pages of the console. */
const nonConsolePaths = /^\/(v1|pages|assets)(\/|$)/;

/**
 * The console has paths of its own that only its script knows. A browser that opens an unknown path gets the console; a
 * program gets 404.
 */
export function answerNavigations(pages: readonly PageFile[], { rateLimit }: Pick<HttpOptions, 'rateLimit'>) {
  const index = pages.find(({ path }) => path === '/');
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined => {
    const opens = request.method === 'GET' && request.headers.accept?.includes('text/html');
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
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
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
