import type { Pool } from '../../platform/database/connect.ts';
import { removeOldRequests } from './act/upload-queries.ts';
import { removeOldAcknowledgements, removeOldAlerts } from './change-queries.ts';

const mostAtOnce = 1_000;

export async function sweepAlerts(db: Pool, days: number): Promise<void> {
  while ((await removeOldAlerts(db, days, mostAtOnce)) === mostAtOnce);
  while ((await removeOldRequests(db, mostAtOnce)) === mostAtOnce);
  await removeOldAcknowledgements(db);
}
