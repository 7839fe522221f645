import { defineFeature } from '../../../feature.ts';
import { startLoop } from '../../../platform/loop.ts';
import { openHeadsPlace } from './heads-place.ts';
import { measureLog } from './measure.ts';
import { serveAuditLog } from './routes.ts';
import { sealEntries } from './seal.ts';
import { sendHead } from './send-heads.ts';

const sealMs = 2_000;
const sendMs = 5_000;

/** Seals the audit trail, so that nobody rewrites it unseen. */
export const auditLog = defineFeature({
  name: 'audit/log',
  needs: ['config', 'db', 'log', 'outbound', 'readLog', 'secretBox'],
  routes: serveAuditLog,
  metrics: (metrics, { db, log, config }) => [measureLog(db, log, metrics, config.auditHeads !== undefined)],
  loops(parts) {
    const { db, log, outbound, config } = parts;
    const seal = startLoop('audit log', sealMs, () => sealEntries(parts), log);
    if (!config.auditHeads) return [seal];
    const put = openHeadsPlace(config.auditHeads, outbound);
    return [seal, startLoop('audit heads', sendMs, () => sendHead({ db, log, put }), log)];
  },
});
