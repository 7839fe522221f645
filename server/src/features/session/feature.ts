import { defineFeature } from '../../feature.ts';
import { sweepMs } from '../../platform/database/expired-rows.ts';
import { startSweep } from '../../platform/loop.ts';
import { recordSessionUse, removeSessionsOf, sweepSessions } from './queries.ts';
import { serveSessions } from './routes.ts';

export const session = defineFeature({
  name: 'session',
  needs: ['cluster', 'config', 'db', 'live', 'log', 'passwords', 'secretBox', 'useLog'],
  loops: ({ db, log }) => [startSweep('session sweep', sweepMs, () => sweepSessions(db), log)],
  routes: serveSessions,
  recordUse: recordSessionUse,
  passingTables: ['sessions', 'password_resets', 'sign_in_attempts'],
  userDisabled: (tx, userID) => removeSessionsOf(tx, userID, undefined),
});
