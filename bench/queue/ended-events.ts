import { take } from '@earshot/server/features/event/take/queries';
import type { Db, Pool } from '@earshot/server/platform/database/connect';
import { inTransaction } from '@earshot/server/platform/database/connect';
import { median } from '../http/load.ts';
import type { Fleet } from './fleet.ts';
import { enqueueEvents } from '@earshot/server/features/event/public';

const takesPerSlice = 60;
const fillAtOnce = 250_000;
const times = { leaseSeconds: 300, retrySeconds: 5 };

/** A database with a fleet and a number of ended events. */
export interface Filled {
  readonly db: Pool;
  readonly fleet: Fleet;
  readonly endedEvents: number;
}

/** Ended events of every kind, each with some history, all of the device that takes events. */
export async function fill({ db, fleet, endedEvents }: Filled): Promise<void> {
  const { newEvent, agentID, actor } = fleet;
  await db`set statement_timeout = 0`;
  for (let count = 0; count < endedEvents; count += fillAtOnce) {
    await db`
      with added as (
        insert into events (device_id, agent_type_id, event_type_id, event_status, attempt_number, agent_id, process_id,
          percent_complete, priority, creation_date, created_by)
        select ${newEvent.deviceID}, ${newEvent.agentTypeID}, ${newEvent.eventTypeID}, 4 + n % 4, 1, ${agentID}, 1,
          100, n % 3, now() - make_interval(secs => n), ${actor.userID ?? null}
        from generate_series(1, ${Math.min(fillAtOnce, endedEvents - count)}::bigint) n
        returning key)
      insert into event_transitions (event_id, to_status, cause, attempt_number)
      select key, 1, 'enqueued', 0 from added`;
  }
  await db`vacuum analyze events`;
  await db`vacuum analyze event_transitions`;
}

export interface TakeCosts {
  readonly ratio: number;
  readonly figures: string;
}

/** The cost of one take with many ended events, as a ratio to the cost with few, in alternating slices. */
export async function compareTakes(few: Filled, many: Filled, rounds: number): Promise<TakeCosts> {
  const costs = { few: [] as number[], many: [] as number[] };
  await sliceOfTakes(few);
  await sliceOfTakes(many);
  for (let round = 0; round < rounds; round++) {
    costs.few.push(await sliceOfTakes(few));
    costs.many.push(await sliceOfTakes(many));
  }
  const ratio = median(costs.many.map((cost, round) => cost / (costs.few[round] ?? 0)));
  const amount = ({ endedEvents }: Filled) => endedEvents.toLocaleString('en');
  const figures =
    `${median(costs.many).toFixed(0)} µs with ${amount(many)} ended events, ` +
    `${median(costs.few).toFixed(0)} µs with ${amount(few)}`;
  return { ratio, figures };
}

/** Microseconds per take, in a transaction that is rolled back, so that every slice has the same table. */
async function sliceOfTakes({ db, fleet }: Filled): Promise<number> {
  const { newEvent, taker, actor } = fleet;
  const undo = new Error('rolled back');
  let cost = 0;
  const work = async (tx: Db) => {
    await enqueueEvents(
      tx,
      Array.from({ length: takesPerSlice }, () => newEvent),
      actor,
    );
    const start = performance.now();
    for (let count = 0; count < takesPerSlice; count++) {
      if (!(await take(tx, taker, times, actor)).event) throw new Error('there was nothing to take');
    }
    cost = ((performance.now() - start) * 1000) / takesPerSlice;
    throw undo;
  };
  await inTransaction(db, work).catch((error: unknown) => {
    if (error !== undo) throw error;
  });
  return cost;
}
