import * as contract from '@earshot/contract/service';
import { Refusal } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/app.ts';
import { serve } from '../../platform/http/serve.ts';

interface ServiceParts {
  readonly db: Db;
  readonly openApiDocument: object;
}

const answerWithinMs = 2_000;

export function serveService(http: HttpApp, { db, openApiDocument }: ServiceParts): void {
  const { metrics } = http.options;
  serve(http, contract.getHealth, () => ({ status: 'alive' }));
  serve(http, contract.getReadiness, async () => {
    await requireDatabase(db);
    return { status: 'ready' };
  });
  serve(http, contract.getMetrics, () => metrics.render());
  serve(http, contract.getOpenApi, async () => openApiDocument);
}

async function requireDatabase(db: Db): Promise<void> {
  const late = new Promise<never>((_resolve, reject) => {
    const refusal = new Refusal('unavailable', 'The database does not answer.', { headers: { 'retry-after': '1' } });
    setTimeout(() => reject(refusal), answerWithinMs).unref();
  });
  await Promise.race([db`select 1`, late]);
}
