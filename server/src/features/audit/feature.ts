import { defineFeature } from '../../feature.ts';
import { startLoop, startSweep } from '../../platform/loop.ts';
import { dropMonths, makeMonths } from './queries.ts';
import { createReadLog } from './read-log.ts';
import { serveAudit } from './routes.ts';

const flushMs = 2_000;
const monthsMs = 3_600_000;

/** Who did what: written by the features whose acts it records. */
export const audit = defineFeature({
  name: 'audit',
  needs: ['config', 'db', 'log', 'readLog'],
  prepare: async ({ db }) => void (await makeMonths(db)),
  open: ({ db, log }) => ({ readLog: createReadLog(db, log) }),
  routes: serveAudit,
  loops: ({ db, log, readLog, config }) => [
    startLoop('audit reads', flushMs, () => readLog.flush(), log),
    startSweep(
      'audit months',
      monthsMs,
      async () => {
        await makeMonths(db);
        await dropMonths(db, config.auditDays);
      },
      log,
    ),
    () => readLog.flush(),
  ],
});
