import { defineFeature } from '../../feature.ts';
import { sweepMs } from '../../platform/database/expired-rows.ts';
import { startLoop, startSweep } from '../../platform/loop.ts';
import { notePlatformRuns, sweepHistory } from './queries.ts';

const noteEveryMs = 60_000;

/** What states of devices are computed from, as far as no other feature keeps it. */
export const stateHistory = defineFeature({
  name: 'state-history',
  needs: ['config', 'db', 'log'],
  loops: ({ config, db, log }) => [
    startLoop('times of the platform', noteEveryMs, () => notePlatformRuns(db), log, 0),
    startSweep('history of states', sweepMs, () => sweepHistory(db, config.stateDays), log),
  ],
});
