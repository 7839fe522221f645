import { listAgentReleases } from '@earshot/contract/agent-release';
import type { Db } from '../../../platform/database/connect.ts';
import type { HttpApp } from '../../../platform/http/http-app.ts';
import { serve } from '../../../platform/http/serve.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { readProgram } from './programs.ts';
import type { ShippedAgent } from './shipping.ts';
import { listReleases } from './queries.ts';

interface ReleaseParts {
  readonly db: Db;
  readonly storage: Storage;
  readonly shipped: ShippedAgent | undefined;
}

/** A year, because the name of a program is the hash of its bytes. */
const forever = 'public, max-age=31536000, immutable';

export function serveAgentReleases(http: HttpApp, parts: ReleaseParts): void {
  serve(http, listAgentReleases, () => listReleases(parts.db, parts.shipped?.sha256));
  // Like pages, the programs are not part of the API. They contain no secret and no data, so anyone may read them.
  for (const program of ['agent', 'launch'] as const) {
    const config = { operationName: `${program} program` };
    http.fastify.get<{ Params: { sha256: string } }>(
      `/install/${program}/:sha256.mjs`,
      { config },
      async (request, reply) => {
        http.options.rateLimit.take(request.ip);
        const { size, bytes } = await readProgram(parts, program, request.params.sha256);
        reply.headers({ 'cache-control': forever, 'content-length': size });
        return reply.type('text/javascript; charset=utf-8').send(bytes);
      },
    );
  }
}
