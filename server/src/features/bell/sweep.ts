import type { Pool } from '../../platform/database/connect.ts';
import { removeOldEntries } from './write-queries.ts';

const mostAtOnce = 1_000;

export async function sweepEntries(db: Pool, days: number): Promise<void> {
  while ((await removeOldEntries(db, days, mostAtOnce)) === mostAtOnce);
}
