import { defineFeature } from '../../feature.ts';
import { serveService } from './routes.ts';

/** Health, readiness and metrics, also on a node that serves nothing else. */
export const service = defineFeature({
  name: 'service',
  needs: [
    'databaseWatch',
    'db',
    'isStopping',
    'openApiDocument',
    'positionWatch',
    'refusedConnections',
    'version',
    'writes',
  ],
  routes: serveService,
  metrics(metrics, { version }) {
    metrics.addGauges('earshot_build_info', 'Always 1; the label is the version of this node.', 'version', () => ({
      [version]: 1,
    }));
    return [];
  },
});
