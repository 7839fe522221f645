import type { Feature } from '../../feature.ts';
import { findExportName } from './export-name.ts';
import { joiningJob } from './jobs.ts';
import { serveJoining } from './routes.ts';

export const join: Feature = {
  open: () => ({ findExportName }),
  jobs: (parts) => [joiningJob(parts)],
  routes: (http, { events }) => serveJoining(http, events),
};
