import type { Pool } from '../../../platform/database/connect.ts';
import { removeOldMatches } from './queries.ts';

const mostAtOnce = 1_000;

export async function sweepMatches(db: Pool, days: number): Promise<void> {
  while ((await removeOldMatches(db, days, mostAtOnce)) === mostAtOnce);
}
