import type { Db, Fragment } from '../../platform/database/connect.ts';
import { contactEverySeconds } from '../agent/rules.ts';

/*
 * Who keeps a lease alive: a report on an event renews its own. Once an event is processing, any other call of its agent
 * renews it too. An event that is only checked out is renewed by reports alone, so that one whose take was never
 * received comes back although its agent goes on polling.
 */

export interface EventTimes {
  /** How long a holder may be silent. */
  readonly leaseSeconds: number;
  /** The wait after a first failed attempt; it doubles with each. */
  readonly retrySeconds: number;
}

/** A lease is granted for a little longer, so that calls in quick succession do not write the event each time. */
const marginSeconds = ({ leaseSeconds }: EventTimes): number => Math.min(1, leaseSeconds / 10);

/**
 * Whether what an agent is processing was renewed when its contact was last noted, so that a take within the second after
 * needs not renew it. Contact of a named process renews what that process took; one without a process renews all.
 */
export const isRenewedByContact = (times: EventTimes, processID: number | undefined): boolean =>
  processID !== undefined && contactEverySeconds <= marginSeconds(times);

const inSeconds = (db: Db, seconds: number): Fragment => db`now() + make_interval(secs => ${seconds})`;

/** When a lease that is granted or renewed now ends. */
export const leaseEnd = (db: Db, times: EventTimes): Fragment =>
  inSeconds(db, times.leaseSeconds + marginSeconds(times));

/**
 * The update that renews what agents are processing, as a part of a statement. `agents` is a query with their keys. A
 * call that names its process leaves alone what another process took. Never waits: an event that is locked is being
 * reported on or taken away.
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
 * Renews what the platform's own jobs hold; the takes that still hold. Never waits: an event that is locked is being
 * reported on, and its turn comes again soon.
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
