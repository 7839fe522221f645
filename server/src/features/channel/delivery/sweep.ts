import type { Pool } from '../../../platform/database/connect.ts';
import { dropOfDisabled, removeOldDeliveries } from './write-queries.ts';

const mostAtOnce = 1_000;

export async function sweepDeliveries(db: Pool, days: number, ruleHours: number): Promise<void> {
  await dropOfDisabled(db, ruleHours);
  while ((await removeOldDeliveries(db, days, mostAtOnce)) === mostAtOnce);
}
