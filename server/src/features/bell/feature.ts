import { defineFeature } from '../../feature.ts';
import { startSweep } from '../../platform/loop.ts';
import { serveBell } from './routes.ts';
import { sweepEntries } from './sweep.ts';

export const bell = defineFeature({
  name: 'bell',
  needs: ['config', 'db', 'log'],
  routes: (http, { db }) => serveBell(http, db),
  loops: ({ db, log, config }) => [
    startSweep('bell', config.fileSweepSeconds * 1000, () => sweepEntries(db, config.matchDays), log),
  ],
});
