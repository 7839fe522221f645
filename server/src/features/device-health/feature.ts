import { defineFeature } from '../../feature.ts';
import { lockHealthOfDevice } from './queries.ts';
import { serveDeviceHealth } from './routes.ts';
import { startHealthRetention } from './rules.ts';

export const deviceHealth = defineFeature({
  name: 'device-health',
  needs: ['config', 'db', 'log'],
  routes: serveDeviceHealth,
  loops: ({ db, log, config }) => [startHealthRetention(db, log, config.fileSweepSeconds * 1000, config.healthDays)],
  deviceRemoval: { lock: lockHealthOfDevice },
});
