import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { StoredEvent } from '../../../platform/events/stored-event.ts';
import { eventColumns } from '../list/queries.ts';
import { isDue } from '../queries.ts';
import type { ServerKind, Turn, Turns } from './turn-queries.ts';
import { findTurns } from './turn-queries.ts';
import type { EventTimes } from './lease-queries.ts';
import { leaseEnd, renewProcessing } from './lease-queries.ts';
import type { Actor } from '../transition/record-queries.ts';
import { movedColumns, recordMove } from '../transition/record-queries.ts';

/* How a pending event gets a holder: an agent, or one of the platform's own workers. All states: transition/queries.ts. */

export interface Taker {
  readonly deviceID: number;
  readonly agentTypeID: number;
  /** A query for the key of the agent, which locks the agent against removal. */
  readonly agent: Fragment;
  readonly processID: number | null;
  readonly takeID: string | null;
  /** Whether to renew the events that the agent is processing; false if that happened within the last second. */
  readonly renews: boolean;
}

/** The agent that took, unless its query found none, and the event, unless none was due. */
export interface Taken {
  readonly agentID: number | undefined;
  readonly event: StoredEvent | undefined;
}

/** A row without an event has the columns of `events`, all null. */
type TakeRow = { readonly takerID: number | null } & (StoredEvent | { readonly key: null });

/** Takes the next event for an agent: highest priority, then oldest. Skips events that another take has locked. */
export function take(db: Db, taker: Taker, times: EventTimes, actor: Actor): Promise<Taken> {
  const next = db`
    select e.key, e.event_status, e.agent_id from events e
    where e.device_id = ${taker.deviceID} and e.agent_type_id = ${taker.agentTypeID} and taker.key is not null
      and e.event_status = 1 and e.server_event = 0 and ${isDue(db)}
    order by e.priority desc, e.key limit 1 for no key update skip locked`;
  return takeAsAgent(db, next, taker, times, actor);
}

/** Takes one named pending event with the same take id: its response was lost, or it was released since. */
export async function takeAgain(
  db: Db,
  eventID: number,
  taker: Taker,
  times: EventTimes,
  actor: Actor,
): Promise<StoredEvent | undefined> {
  const next = db`
    select e.key, e.event_status, e.agent_id from events e
    where e.key = ${eventID} and e.event_status = 1 and taker.key is not null and ${isDue(db)} for no key update`;
  const { event } = await takeAsAgent(db, next, taker, times, actor);
  return event;
}

/**
 * Locks the agent against removal before it locks an event: agents come before events in the order of locks. Concurrent
 * takes of one agent share this lock. `next` chooses and locks the event and refers to `taker`, so that PostgreSQL must
 * run it second. The same statement renews the events that the agent is processing, unless that happened within the last
 * second.
 */
async function takeAsAgent(db: Db, next: Fragment, taker: Taker, times: EventTimes, actor: Actor): Promise<Taken> {
  const { processID, takeID } = taker;
  const renewal = renewProcessing(db, times, db`select key from taker`, processID ?? undefined);
  const [row] = await db<TakeRow[]>`
    with taker as materialized (${taker.agent}),
    chosen as (select e.key, e.event_status, e.agent_id from taker cross join lateral (${next}) e),
    moved as (
      update events e set event_status = 2, attempt_number = e.attempt_number + 1, agent_id = (select key from taker),
        process_id = ${processID}, take_id = ${takeID}, taken_date = clock_timestamp(),
        lease_end_date = ${leaseEnd(db, times)}, percent_complete = 0, result = null
      from chosen where e.key = chosen.key
      returning ${movedColumns(db)}),
    ${recordMove(db, { cause: db`'taken'`, actor, agent: db`(select key from taker)`, agents: 'taker' })}
    ${taker.renews ? db`, renewed as (${renewal})` : db``}
    select (select key from taker) as "takerID", ${eventColumns(db)} from (select) one left join moved e on true`;
  if (!row) throw new Error('a take returned no row');
  const { takerID, ...event } = row;
  return { agentID: takerID ?? undefined, event: event.key === null ? undefined : event };
}

export interface WorkerHolder {
  readonly processID: number;
  readonly takeID: string;
}

/** Takes the next event of a type that the platform processes: highest priority, then by turns (turn-queries.ts). */
export async function takeServerEvent(
  db: Db,
  kind: ServerKind,
  worker: WorkerHolder,
  times: EventTimes,
  turns: Turns = {},
) {
  for (const turn of await findTurns(db, kind, turns)) {
    const event = await takeOldestOfTurn(db, kind, turn, worker, times);
    if (event) return { event, ownerID: turn.ownerID };
  }
  return undefined;
}

async function takeOldestOfTurn(
  db: Db,
  { eventTypeID }: ServerKind,
  turn: Turn,
  { processID, takeID }: WorkerHolder,
  times: EventTimes,
): Promise<StoredEvent | undefined> {
  const [event] = await db<StoredEvent[]>`
    with chosen as (
      select e.key, e.event_status, e.agent_id from events e
      where e.event_type_id = ${eventTypeID} and e.event_status = 1 and e.server_event = 1
        and e.priority = ${turn.priority} and e.owner_id = ${turn.ownerID} and ${isDue(db)}
      order by e.key limit 1 for no key update skip locked),
    moved as (
      update events e set event_status = 2, attempt_number = e.attempt_number + 1, agent_id = null,
        process_id = ${processID}, take_id = ${takeID}, taken_date = clock_timestamp(),
        lease_end_date = ${leaseEnd(db, times)}, percent_complete = 0, result = null
      from chosen where e.key = chosen.key
      returning ${movedColumns(db)}),
    ${recordMove(db, { cause: db`'taken'`, actor: {}, agents: 'none' })}
    select ${eventColumns(db)} from moved e`;
  return event;
}
