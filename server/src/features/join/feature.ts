import { defineFeature } from '../../feature.ts';
import { findExportName } from './export-name.ts';
import { startExportSweep } from './export-sweep.ts';
import { joiningJob } from './jobs.ts';
import { serveJoining } from './routes.ts';

export const join = defineFeature({
  name: 'join',
  needs: ['config', 'db', 'events', 'log', 'media', 'outbound', 'scratch', 'secretBox', 'storage'],
  open: () => ({ findExportName }),
  jobs: (parts) => [joiningJob({ ...parts, exportLimits: parts.config.exportLimits })],
  loops: ({ db, log, config }) => [startExportSweep(db, log, config.fileSweepSeconds * 1000)],
  routes: (http, { events, config }) => serveJoining(http, { ...events, exportLimits: config.exportLimits }),
});
