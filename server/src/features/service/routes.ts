import { setTimeout as sleep } from 'node:timers/promises';
import * as contract from '@earshot/contract/service';
import { Refusal } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { DatabaseWatch } from '../../platform/database/database-watch.ts';
import type { PositionWatch } from '../../platform/database/position-watch.ts';
import type { RefusedConnections } from '../../platform/database/refused-connections.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import type { WriteWatch } from '../../platform/writes/write-watch.ts';
import { pingDatabase } from './queries.ts';

interface ServiceParts {
  readonly db: Db;
  readonly writes: WriteWatch;
  readonly refusedConnections: RefusedConnections;
  readonly databaseWatch: DatabaseWatch;
  readonly positionWatch: PositionWatch;
  readonly isStopping: () => boolean;
  readonly openApiDocument: () => object;
  readonly version: string;
}

const answerWithinMs = 2_000;

export function serveService(http: HttpApp, parts: ServiceParts): void {
  const { metrics } = http.options;
  serve(http, contract.getHealth, () => ({ status: 'alive' }));
  serve(http, contract.getReadiness, async () => {
    requireRunning(parts);
    requireWrites(parts);
    await requireDatabase(parts);
    const warning = parts.positionWatch.warning();
    return { status: 'ready', ...(warning === undefined ? {} : { warning }) };
  });
  serve(http, contract.getVersion, () => ({ Version: parts.version }));
  serve(http, contract.getMetrics, () => metrics.render());
  serve(http, contract.getOpenApi, async () => parts.openApiDocument());
}

function requireRunning({ isStopping }: ServiceParts): void {
  if (!isStopping()) return;
  const detail = 'The node is stopping; send requests to another one.';
  throw new Refusal('unavailable', detail, { headers: { 'retry-after': '1' } });
}

/** Names the place and the cause for the operator; API clients do not get these details. */
function requireWrites({ writes }: ServiceParts): void {
  const faults = writes.faults();
  if (faults.length === 0) return;
  const causes = faults.map(({ name, reason, freeBytes }) => {
    const free = freeBytes === undefined ? '' : ` (${freeBytes} bytes free)`;
    return `${name}: ${reason}${free}`;
  });
  throw new Refusal('unavailable', `Writes fail. ${causes.join('; ')}.`, { headers: { 'retry-after': '5' } });
}

/** Names the cause for the operator. The query is also an attempt to connect again. */
async function requireDatabase({ db, refusedConnections, databaseWatch }: ServiceParts): Promise<void> {
  const refuse = (otherwise: string): never => {
    const [lost, refused] = [databaseWatch.lostReason(), refusedConnections.recentReason()];
    const detail = refused
      ? `The database accepts no connection of this node: ${refused}.`
      : lost
        ? `The database cannot be reached: ${lost}.`
        : otherwise;
    throw new Refusal('unavailable', detail, { headers: { 'retry-after': '1' } });
  };
  const late = sleep(answerWithinMs, undefined, { ref: false }).then(() => refuse('The database does not respond.'));
  const asked = async () => {
    try {
      await pingDatabase(db);
    } catch {
      refuse('The connection to the database was lost; the next one is being opened.');
    }
  };
  await Promise.race([asked(), late]);
}
