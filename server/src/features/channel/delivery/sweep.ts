import type { Pool } from '../../../platform/database/connect.ts';
import { removeOldDeliveries } from './write-queries.ts';

const mostAtOnce = 1_000;

export async function sweepDeliveries(db: Pool, days: number): Promise<void> {
  while ((await removeOldDeliveries(db, days, mostAtOnce)) === mostAtOnce);
}
