import type { AcknowledgeAlert } from '@earshot/contract/overview';
import type { Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { putAcknowledged, removeAcknowledged, sweepAcknowledged } from './acknowledge-queries.ts';

export async function acknowledgeRecords(
  db: Pool,
  caller: Caller,
  given: AcknowledgeAlert,
): Promise<{ count: number }> {
  const { alert, keys, isAcknowledged = true } = given;
  if (!isAcknowledged) return { count: await removeAcknowledged(db, caller, given) };
  return inTransaction(db, async (tx) => {
    const count = await putAcknowledged(tx, caller, { alert, keys, isRetried: false });
    await sweepAcknowledged(tx);
    return { count };
  });
}
