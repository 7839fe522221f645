import { defineFeature } from '../../feature.ts';
import { joiningJob } from './jobs.ts';
import { serveJoining } from './routes.ts';

export const join = defineFeature({
  name: 'join',
  needs: ['db', 'events', 'media', 'outbound', 'scratch', 'secretBox', 'storage'],
  jobs: (parts) => [joiningJob(parts)],
  routes: (http, { events }) => serveJoining(http, events),
});
