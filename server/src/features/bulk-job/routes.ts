import * as contract from '@earshot/contract/bulk-job';
import type { Pool } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serveOnce } from '../../platform/http/serve-once.ts';
import { serve } from '../../platform/http/serve.ts';
import { listJobs } from './queries.ts';
import { endJob, readFailures, readJob, startDeviceJob, startTakingOut } from './rules.ts';

export function serveBulkJobs(http: HttpApp, db: Pool): void {
  serveOnce(
    http,
    contract.startDeviceBulk,
    db,
    ({ caller, body }, within) => startDeviceJob(within, caller, body),
    ({ caller }, within, { key }) => readJob(within, caller, key),
  );
  serveOnce(
    http,
    contract.takeOutItems,
    db,
    ({ caller, params, body }, within) => startTakingOut(within, caller, params.collectionID, body),
    ({ caller }, within, { key }) => readJob(within, caller, key),
  );
  serve(http, contract.listBulkJobs, ({ caller }) => listJobs(db, caller));
  serve(http, contract.getBulkJob, ({ caller, params }) => readJob(db, caller, params.bulkJobID));
  serve(http, contract.cancelBulkJob, ({ caller, params }) => endJob(db, caller, params.bulkJobID));
  serve(http, contract.listBulkFailures, ({ caller, params, body }) =>
    readFailures(db, caller, params.bulkJobID, body),
  );
}
