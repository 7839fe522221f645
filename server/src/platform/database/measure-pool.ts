import type { Metrics } from '../http/door/metrics.ts';
import type { Pool } from './connect.ts';

/** How many connections of this node are in use, and whether queries wait for one. */
export function measurePool(metrics: Metrics, db: Pool, most: number): void {
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
