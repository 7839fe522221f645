import type { Db } from '../../../platform/database/connect.ts';
import type { Actor } from './record-queries.ts';
import { move } from './record-queries.ts';
import type { Sender } from '../enqueue/owner-only.ts';

/** Cancels those of the events that no agent has taken, and returns their keys. */
export async function cancelAllUntaken(db: Db, eventIDs: readonly number[], actor: Actor): Promise<readonly number[]> {
  const choose = db`
    select e.key, e.event_status, e.agent_id from events e
    where e.key = any(${eventIDs as number[]}::bigint[]) and e.event_status = 1 order by e.key for no key update`;
  const rows = await db<{ key: number }[]>`
    with ${move(db, { choose, set: db`event_status = 7, lease_end_date = null`, cause: db`'cancelled'`, actor, agents: 'none', mayEnd: true })}
    select key from moved`;
  return rows.map(({ key }) => key);
}

/** Cancels those of the events that no agent has taken yet, and returns their keys. Checks no right. */
export const cancelUntaken = (tx: Db, eventIDs: readonly number[], actor: Sender): Promise<readonly number[]> =>
  eventIDs.length === 0 ? Promise.resolve([]) : cancelAllUntaken(tx, eventIDs, actor);
