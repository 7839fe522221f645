import type { Metrics } from '../http/door/metrics.ts';
import type { Pool } from './connect.ts';
import type { DatabaseWatch } from './database-watch.ts';

/** Whether the database can be reached, how many connections are in use, and whether queries wait for one. */
export function measurePool(metrics: Metrics, db: Pool, most: number, { lostReason }: DatabaseWatch): void {
  metrics.addGauge('earshot_database_reachable', 'Whether this node can reach the database (1) or not (0).', () =>
    lostReason() === undefined ? 1 : 0,
  );
  metrics.addGauges('earshot_database_connections', 'Open database connections of this node.', 'state', () => {
    const { open, idle } = db.use();
    return { busy: open - idle, idle };
  });
  metrics.addGauge(
    'earshot_database_connections_limit',
    'The most database connections that this node opens.',
    () => most,
  );
  metrics.addGauge(
    'earshot_database_queries_waiting',
    'Queries and transactions that wait for a connection.',
    () => db.use().waiting,
  );
}
