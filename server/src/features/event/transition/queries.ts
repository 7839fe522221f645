import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { StoredEvent } from '../../../platform/events/stored-event.ts';
import { eventColumns } from '../list/queries.ts';
import type { EventTimes } from '../take/lease-queries.ts';
import type { Actor } from './record-queries.ts';
import { movedColumns, recordMove } from './record-queries.ts';

/*
 * The states of an event. Only this module, report-queries.ts and take/queries.ts change eventStatus.
 *
 *      enqueued            taken                   first report
 *         │        ┌─────────────────────► 2 checked out ──────────► 3 processing ─┐
 *         ▼        │                          │     │                  │     │  ▲  │ progress
 *     1 pending ───┘                          │     │                  │     │  └──┘
 *         ▲ │                                 │     │                  │     │
 *         │ │        attempts left            │     │                  │     │
 *         ├─┼──── error: after a delay ───────┼─────┼──────────────────┘     │
 *         ├─┼──── silent past its lease: after a delay ────────────────┘     │
 *         └─┼──── process replaced, worker stopped, or postponed: at once;   │
 *           │     storage or database of the platform away: after a delay    │
 *           │                                                                │
 *           │        no attempts left                        reported        │
 *           │        error ► 5 error   silent ► 6 timed out  complete ► 4 ◄──┘
 *           │
 *           └──── from 1, 2 and 3:  cancelled ► 7    past its expiration ► 6 timed out
 *
 * 4 to 7 are final: no statement here matches an ended event. A held event (2, 3) has one holder: it is taken and
 * changed only with its row locked. attemptNumber increases with each take and never exceeds maxAttempts (the table
 * checks it too); a take of the platform that could not do the work is taken off again. Every move writes its history row in the same statement. All times are the database's, because the
 * clocks of nodes may differ.
 */

const longestRetrySeconds = 600;

/**
 * When the event `e` may be taken again. The delay increases with each attempt and has a random part, so that devices that
 * failed together do not retry together.
 */
export const retryDate = (db: Db, { retrySeconds }: EventTimes): Fragment => db`
  now() + make_interval(secs =>
    least(${retrySeconds} * power(2, least(e.attempt_number - 1, 30)), ${longestRetrySeconds}) * (0.75 + random() * 0.5))`;

/** Sets columns of `e`. If attempts are left: pending, without a holder. Otherwise ended, with the last holder recorded. */
export const pendingOrEnded = (db: Db, ended: 5 | 6, processID: number | null = null): Fragment => db`
  event_status = case when e.attempt_number < e.max_attempts then 1 else ${ended}::smallint end,
  agent_id = case when e.attempt_number < e.max_attempts then null else e.agent_id end,
  process_id = case when e.attempt_number < e.max_attempts then null else coalesce(e.process_id, ${processID}::bigint) end,
  lease_end_date = null`;

export async function cancel(db: Db, eventID: number, actor: Actor): Promise<StoredEvent | undefined> {
  const [event] = await db<StoredEvent[]>`
    with chosen as (
      select e.key, e.event_status, e.agent_id from events e
      where e.key = ${eventID} and e.event_status in (1, 2, 3) for no key update),
    moved as (
      update events e set event_status = 7, lease_end_date = null from chosen where e.key = chosen.key
      returning ${movedColumns(db)}),
    ${recordMove(db, { cause: db`'cancelled'`, actor, agents: 'former holder', mayEnd: true })}
    select ${eventColumns(db)} from moved e`;
  return event;
}

/** Cancels some of the pending events of a device and returns their keys. */
export async function cancelPendingOfDevice(
  db: Db,
  deviceID: number,
  most: number,
  actor: Actor,
): Promise<readonly number[]> {
  const rows = await db<{ key: number }[]>`
    with chosen as (
      select e.key, e.event_status, e.agent_id from events e
      where e.device_id = ${deviceID} and e.event_status = 1 and e.server_event = 0
      order by e.key limit ${most} for no key update),
    moved as (
      update events e set event_status = 7, lease_end_date = null from chosen where e.key = chosen.key
      returning ${movedColumns(db)}),
    ${recordMove(db, { cause: db`'cancelled'`, actor, agents: 'none', mayEnd: true })}
    select key from moved`;
  return rows.map(({ key }) => key);
}

/** Cancels those of the events that are pending, and returns their keys. Checks no right. */
export async function cancelIfPending(db: Db, eventIDs: readonly number[], actor: Actor): Promise<readonly number[]> {
  if (eventIDs.length === 0) return [];
  const rows = await db<{ key: number }[]>`
    with chosen as (
      select e.key, e.event_status, e.agent_id from events e
      where e.key = any(${eventIDs as number[]}::bigint[]) and e.event_status = 1 order by e.key for no key update),
    moved as (
      update events e set event_status = 7, lease_end_date = null from chosen where e.key = chosen.key
      returning ${movedColumns(db)}),
    ${recordMove(db, { cause: db`'cancelled'`, actor, agents: 'none', mayEnd: true })}
    select key from moved`;
  return rows.map(({ key }) => key);
}

export interface Replacement {
  readonly agentID: number;
  readonly processID: number;
  /** Decides about events that were taken without naming a process. */
  readonly formerProcessID: number | null;
}

/** Releases the events that an agent's other processes held: pending at once, or timed out if no attempts are left. */
export async function releaseHeldBy(db: Db, former: Replacement, actor: Actor): Promise<readonly number[]> {
  const rows = await db<{ deviceID: number }[]>`
    with chosen as (
      select e.key, e.event_status, e.agent_id from events e
      where e.agent_id = ${former.agentID} and e.event_status in (2, 3)
        and coalesce(e.process_id, ${former.formerProcessID}::bigint) <> ${former.processID}
      order by e.key for no key update),
    moved as (
      update events e set ${pendingOrEnded(db, 6)}, ready_date = now() from chosen where e.key = chosen.key
      returning ${movedColumns(db)}),
    ${recordMove(db, { cause: db`'process replaced'`, actor, agents: 'former holders', mayEnd: true })}
    select device_id as "deviceID" from moved`;
  return rows.map(({ deviceID }) => deviceID);
}

/** Moves some of the held events whose lease has ended, and returns their devices. */
export async function endLeases(db: Db, times: EventTimes, most: number): Promise<readonly number[]> {
  const rows = await db<{ deviceID: number }[]>`
    with chosen as (
      select e.key, e.event_status, e.agent_id from events e
      where e.event_status in (2, 3) and e.lease_end_date < now()
      order by e.lease_end_date limit ${most} for no key update skip locked),
    moved as (
      update events e set ${pendingOrEnded(db, 6)}, ready_date = ${retryDate(db, times)}
      from chosen where e.key = chosen.key
      returning ${movedColumns(db)}),
    ${recordMove(db, { cause: db`'lease lost'`, actor: {}, agents: 'former holders', mayEnd: true })}
    select device_id as "deviceID" from moved`;
  return rows.map(({ deviceID }) => deviceID);
}

/** Times out some of the events that have expired, and returns their devices. */
export async function expire(db: Db, most: number): Promise<readonly number[]> {
  const rows = await db<{ deviceID: number }[]>`
    with chosen as (
      select e.key, e.event_status, e.agent_id from events e
      where e.event_status in (1, 2, 3) and e.expiration_epoch > 0 and e.expiration_epoch <= extract(epoch from now())
      order by e.expiration_epoch limit ${most} for no key update skip locked),
    moved as (
      update events e set event_status = 6, lease_end_date = null from chosen where e.key = chosen.key
      returning ${movedColumns(db)}),
    ${recordMove(db, { cause: db`'expired'`, actor: {}, agents: 'former holders', mayEnd: true })}
    select device_id as "deviceID" from moved`;
  return rows.map(({ deviceID }) => deviceID);
}
