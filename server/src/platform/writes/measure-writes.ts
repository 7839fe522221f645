import type { RefusedConnections } from '../database/refused-connections.ts';
import type { Metrics } from '../http/door/metrics.ts';
import type { WatchedPlace, WriteWatch } from './write-watch.ts';

const labels: Readonly<Record<WatchedPlace['name'], string>> = {
  files: 'the file storage',
  scratch: 'the scratch folder',
  database: 'the database',
};

/** Free space and state of the places that this node writes to. */
export function measureWrites(
  metrics: Metrics,
  places: readonly WatchedPlace[],
  watch: WriteWatch,
  refused: RefusedConnections,
): void {
  for (const { name, folder } of places) {
    metrics.addGauge(`earshot_${name}_writable`, `Whether ${labels[name]} accepts writes (1) or not (0).`, () =>
      watch.faults().some((fault) => fault.name === name) ? 0 : 1,
    );
    if (folder === undefined) continue;
    const help = `Free space on the disk of ${labels[name]}.`;
    metrics.addGauge(`earshot_${name}_free_bytes`, help, () => watch.freeBytes(name) ?? NaN);
  }
  metrics.addGauge(
    'earshot_database_connections_refused',
    'Connections that the database refused since the process started because of a connection limit.',
    refused.count,
  );
}
