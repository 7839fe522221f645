import { defineFeature } from '../../feature.ts';
import { sweepMs } from '../../platform/database/expired-rows.ts';
import { startLoop, startSweep } from '../../platform/loop.ts';
import { sweepNonces } from './queries.ts';
import { createAuthenticator } from './rules.ts';
import { createUseLog } from './use-log.ts';

const flushUsesMs = 2_000;

/** Identifies the caller of a request by its credential. */
export const caller = defineFeature({
  name: 'caller',
  needs: ['cluster', 'config', 'db', 'log', 'secretBox', 'useLog', 'useRecorders'],
  open: ({ db, log, useRecorders }) => ({ useLog: createUseLog(db, log, useRecorders) }),
  hooks: (parts) => ({ authenticator: createAuthenticator(parts) }),
  loops: ({ db, log, useLog }) => [
    startLoop('credential uses', flushUsesMs, () => useLog.flush(), log),
    startSweep('nonce sweep', sweepMs, () => sweepNonces(db), log),
    () => useLog.flush(),
  ],
  passingTables: ['request_nonces'],
});
