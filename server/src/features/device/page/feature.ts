import { listDevicePage } from '@earshot/contract/device-page';
import { defineFeature } from '../../../feature.ts';
import { serve } from '../../../platform/http/serve.ts';
import { startLoop } from '../../../platform/loop.ts';
import { findDevicePage } from './pages.ts';
import { refreshSummaries } from './refresh.ts';

const refreshEveryMs = 2_000;

export const devicePage = defineFeature({
  name: 'device-page',
  needs: ['db', 'isStopping', 'log'],
  routes: (http, { db }) => serve(http, listDevicePage, ({ caller, body }) => findDevicePage(db, caller, body)),
  loops: ({ db, isStopping, log }) => [
    startLoop('summaries of devices', refreshEveryMs, () => refreshSummaries(db, isStopping), log, 0),
  ],
});
