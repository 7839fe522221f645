import { defineFeature } from '../../feature.ts';
import { lockLinesOfDevice } from './queries.ts';
import { serveLogMessages } from './routes.ts';
import { startLogRetention } from './rules.ts';

export const logMessage = defineFeature({
  name: 'log-message',
  needs: ['config', 'db', 'log'],
  routes: serveLogMessages,
  loops: ({ db, log, config }) => [startLogRetention(db, log, config.fileSweepSeconds * 1000, config.logDays)],
  deviceRemoval: { lock: lockLinesOfDevice },
});
