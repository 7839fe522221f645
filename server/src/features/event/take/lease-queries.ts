import type { Db, Fragment } from '../../../platform/database/connect.ts';
import { contactEverySeconds } from '../../agent/public.ts';

/*
 * Which calls renew a lease: a report renews the lease of its event. Once an event is processing, any other call of its
 * agent renews it too. An event that is checked out is renewed by reports only: if the response to its take was lost,
 * its lease ends although the agent continues to poll.
 */

export interface EventTimes {
  /** The longest time between two calls of a holder. */
  readonly leaseSeconds: number;
  /** The delay after the first failed attempt; it doubles with each further one. */
  readonly retrySeconds: number;
}

/** A lease is granted for slightly longer, so that calls in quick succession do not each write the event. */
const marginSeconds = ({ leaseSeconds }: EventTimes): number => Math.min(1, leaseSeconds / 10);

/**
 * Whether recording the agent's contact has already renewed the events that the agent is processing, so that a take
 * within the next second need not renew them. Contact of a named process renews the events of that process; contact
 * without a process renews all.
 */
export const isRenewedByContact = (times: EventTimes, processID: number | undefined): boolean =>
  processID !== undefined && contactEverySeconds <= marginSeconds(times);

const inSeconds = (db: Db, seconds: number): Fragment => db`now() + make_interval(secs => ${seconds})`;

/** The end of a lease that is granted or renewed now. */
export const leaseEnd = (db: Db, times: EventTimes): Fragment =>
  inSeconds(db, times.leaseSeconds + marginSeconds(times));

/**
 * Part of a statement: the update that renews the events that agents are processing. `agents` is a query for their
 * keys. A call that names its process does not renew events of another process. Never waits for locks: a locked event
 * is being reported on or moved.
 */
export const renewProcessing = (db: Db, times: EventTimes, agents: Fragment, processID?: number): Fragment => db`
  update events e set lease_end_date = ${leaseEnd(db, times)}
  from (
    select h.key from (${agents}) a join events h on h.agent_id = a.key
    where h.event_status = 3 and h.lease_end_date < ${inSeconds(db, times.leaseSeconds)}
      ${processID === undefined ? db`` : db`and coalesce(h.process_id, ${processID}) = ${processID}`}
    order by h.key for no key update of h skip locked) due
  where e.key = due.key`;

export async function renewLeases(db: Db, times: EventTimes, agentID: number, processID?: number): Promise<void> {
  await db`${renewProcessing(db, times, db`select ${agentID}::bigint as key`, processID)}`;
}

export interface HeldTake {
  readonly eventID: number;
  readonly takeID: string;
}

/**
 * Renews the events that the platform's own jobs hold, and returns the takes that still hold their event. Never waits
 * for locks: a locked event is being reported on, and the next renewal follows soon.
 */
export async function renewTakes(db: Db, takes: readonly HeldTake[], times: EventTimes): Promise<readonly string[]> {
  const held = db`
    select e.key, e.take_id from events e
    join unnest(${takes.map(({ eventID }) => eventID)}::bigint[], ${takes.map(({ takeID }) => takeID)}::uuid[])
      as t (event_id, take_id) on e.key = t.event_id and e.take_id = t.take_id
    where e.event_status in (2, 3)`;
  const rows = await db<{ takeID: string }[]>`
    with due as (${held} order by e.key for no key update of e skip locked),
    renewed as (update events e set lease_end_date = ${leaseEnd(db, times)} from due where e.key = due.key)
    select take_id as "takeID" from (${held}) held`;
  return rows.map(({ takeID }) => takeID);
}
