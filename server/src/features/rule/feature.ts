import { defineFeature } from '../../feature.ts';
import { startSweep } from '../../platform/loop.ts';
import { moveRulesOfDevice } from './device-queries.ts';
import { startEngine } from './engine/engine.ts';
import { sweepMatches } from './match/sweep.ts';
import { serveRules } from './routes.ts';

export const rule = defineFeature({
  name: 'rule',
  needs: ['config', 'db', 'log', 'matchFollower'],
  routes: (http, { db, config }) => serveRules(http, db, config.stateDays),
  loops: ({ db, log, config, matchFollower }) => [
    // On every node: one that only serves judges too, so that rules work in an installation without workers.
    startEngine(db, log, matchFollower, config.stateDays),
    startSweep('rule matches', config.fileSweepSeconds * 1000, () => sweepMatches(db, config.matchDays), log),
  ],
  deviceRemoval: { move: moveRulesOfDevice },
});
