import type { Feature } from '../../feature.ts';
import { joiningJob } from './jobs.ts';
import { serveJoining } from './routes.ts';

export const join: Feature = {
  jobs: (parts) => [joiningJob(parts)],
  routes: (http, { events }) => serveJoining(http, events),
};
