import { defineFeature } from '../../feature.ts';
import { findExportName } from './export-name.ts';
import { joiningJob } from './jobs.ts';
import { serveJoining } from './routes.ts';

export const join = defineFeature({
  name: 'join',
  needs: ['db', 'events', 'media', 'outbound', 'scratch', 'secretBox', 'storage'],
  open: () => ({ findExportName }),
  jobs: (parts) => [joiningJob(parts)],
  routes: (http, { events }) => serveJoining(http, events),
});
