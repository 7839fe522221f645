import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { EventParts } from '../event/public.ts';
import { enqueueCopies } from '../event/public.ts';
import { lockFailed, putAcknowledged } from './acknowledge-queries.ts';

/** Enqueues a copy of each failed event that the caller may change, and acknowledges the failures: all or none. */
export async function retryFailed(
  { db, secretBox, wakeups }: EventParts,
  caller: Caller,
  eventIDs: readonly number[],
): Promise<{ count: number }> {
  const copies = await inTransaction(db, async (tx) => {
    const failed = await lockFailed(tx, caller, eventIDs);
    const enqueued = await enqueueCopies(tx, secretBox, failed, caller);
    await putAcknowledged(tx, caller, { alert: 'failedEvents', keys: failed, isRetried: true });
    return enqueued;
  });
  wakeups.add([...new Set(copies.map(({ deviceID }) => deviceID))]);
  return { count: copies.length };
}
