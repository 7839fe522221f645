import { randomUUID } from 'node:crypto';
import { defineFeature } from '../../feature.ts';
import { sweepMs } from '../../platform/database/expired-rows.ts';
import { startLoop, startSweep } from '../../platform/loop.ts';
import { sweepBulkJobs } from './queries.ts';
import { serveBulkJobs } from './routes.ts';
import { workOnBulkJobs } from './work.ts';

const lookEveryMs = 500;

/** The same change of many records, made one after the other. */
export const bulkJob = defineFeature({
  name: 'bulk-job',
  needs: ['cluster', 'db', 'deviceRemovals', 'events', 'isStopping', 'log'],
  routes: (http, { db }) => serveBulkJobs(http, db),
  loops({ db, log, ...parts }) {
    const work = { ...parts, db, log, node: randomUUID() };
    return [
      startLoop('bulk jobs', lookEveryMs, () => workOnBulkJobs(work), log),
      startSweep('sweep of bulk jobs', sweepMs, () => sweepBulkJobs(db), log),
    ];
  },
  passingTables: ['bulk_jobs', 'bulk_failures'],
});
