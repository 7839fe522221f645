import type { Pool } from '../../../platform/database/connect.ts';
import type { Metrics } from '../../../platform/http/door/metrics.ts';
import type { Log } from '../../../platform/log.ts';
import { startLoop } from '../../../platform/loop.ts';
import { waitsOf } from './lateness.ts';
import { findState } from './state-queries.ts';

const measureMs = 15_000;

/** Gauges of the sealed log. Measured periodically, because a scrape must not wait for the database. */
export function measureLog(db: Pool, log: Log, metrics: Metrics, keepsHeadsElsewhere: boolean): () => Promise<void> {
  let [size, unsealedSeconds, unsentSeconds] = [0, 0, 0];
  metrics.addGauge('earshot_audit_log_size', 'Entries of the audit trail that are sealed.', () => size);
  metrics.addGauge(
    'earshot_audit_unsealed_seconds',
    'Age of the oldest entry of the audit trail that is not sealed; 0 if none.',
    () => unsealedSeconds,
  );
  if (keepsHeadsElsewhere) {
    metrics.addGauge(
      'earshot_audit_head_unsent_seconds',
      'For how long a head of the audit log waits to be sent to EARSHOT_AUDIT_HEADS; 0 if none.',
      () => unsentSeconds,
    );
  }
  const measure = async () => {
    const state = await findState(db);
    ({ size } = state);
    ({ unsealedSeconds, unsentSeconds } = waitsOf(state));
  };
  return startLoop('audit log metrics', measureMs, measure, log, 0);
}
