import type { HttpApp } from '../../platform/http/app.ts';
import type { PageFile } from './files.ts';

// Nothing from outside, nothing inline, no frame around it.
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Pages are not part of the API, so they are not in the contract: anyone may read them, and they hold no data. */
export function servePages({ fastify, options }: HttpApp, pages: readonly PageFile[]): void {
  for (const { path, contentType, body, etag } of pages) {
    fastify.get(path, { config: { operationName: 'page' } }, (request, reply) => {
      options.rateLimit.take(request.ip);
      reply.headers({ 'content-security-policy': pagePolicy, 'cache-control': 'no-cache', etag });
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return reply.type(contentType).send(body);
    });
  }
}
