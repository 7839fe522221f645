import type { Feature } from '../../feature.ts';
import { startLoop } from '../../platform/loop.ts';
import { sweepCredentials } from './queries.ts';
import { createAuthenticator } from './rules.ts';
import { createUseLog } from './use-log.ts';

const flushUsesMs = 2_000;
const sweepMs = 300_000;

/** Identifies the caller of a request by its credential. */
export const caller: Feature = {
  open: ({ db, log }) => ({ useLog: createUseLog(db, log) }),
  hooks: (parts) => ({ authenticator: createAuthenticator(parts) }),
  loops: ({ db, log, useLog }) => [
    startLoop('credential uses', flushUsesMs, () => useLog.flush(), log),
    startLoop('credential sweep', sweepMs, () => sweepCredentials(db), log),
    () => useLog.flush(),
  ],
};
