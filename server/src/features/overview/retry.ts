import type { Db } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';
import type { EventParts } from '../event/public.ts';
import { enqueueCopies } from '../event/public.ts';
import { putAcknowledged } from './acknowledge.ts';

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

/**
 * Locks the devices, then the events, in the order of locks (docs/decisions/0020). Of two people who retry the same
 * failure, the second finds it retried.
 */
async function lockFailed(tx: Db, caller: Caller, eventIDs: readonly number[]): Promise<readonly number[]> {
  const isGiven = tx`e.key = any(${eventIDs as number[]}::bigint[]) and e.event_status in (5, 6)`;
  await tx`
    select 1 from devices d where d.key in (select e.device_id from events e where ${isGiven})
      and ${deviceRight(tx, caller, 'write')} order by d.key for key share`;
  const locked = await tx<{ key: number }[]>`
    select e.key from events e join devices d on d.key = e.device_id
    where ${isGiven} and ${deviceRight(tx, caller, 'write')} order by e.key for no key update of e`;
  const keys = locked.map(({ key }) => key);
  const retried = await tx<{ key: number }[]>`
    select record_key as key from acknowledged_alerts
    where alert = 'failedEvents' and is_retried and record_key = any(${keys}::bigint[])`;
  const before = new Set(retried.map(({ key }) => key));
  return keys.filter((key) => !before.has(key));
}
