import { defineFeature } from '../../feature.ts';
import { startLoop } from '../../platform/loop.ts';
import { advanceRollouts } from './advance.ts';
import { lockRolloutsOfDevice } from './queries.ts';
import { serveRollouts } from './routes.ts';

export const rollout = defineFeature({
  name: 'rollout',
  needs: ['config', 'events', 'log'],
  routes: (http, { events }) => serveRollouts(http, events),
  loops: ({ events, log, config }) => [
    startLoop('rollouts', config.rolloutSeconds * 1000, () => advanceRollouts(events), log),
  ],
  deviceRemoval: { lock: lockRolloutsOfDevice },
});
