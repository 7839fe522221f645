import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { StoredEvent } from '../../../platform/events/stored-event.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { deviceRight } from '../../../access.ts';
import type { EventTimes } from '../take/lease-queries.ts';
import { leaseEnd } from '../take/lease-queries.ts';
import type { Actor } from './record-queries.ts';
import { move } from './record-queries.ts';
import { eventColumns } from '../columns.ts';

/*
 * The states of an event. Only this module, take/queries.ts and untaken.ts change eventStatus.
 *
 *      enqueued            taken                   first report
 *         │        ┌─────────────────────► 2 checked out ──────────► 3 processing ─┐
 *         ▼        │                          │     │                  │     │  ▲  │ progress
 *     1 pending ───┘                          │     │                  │     │  └──┘
 *         ▲ │                                 │     │                  │     │
 *         │ │        attempts left            │     │                  │     │
 *         ├─┼──── error: after a delay ───────┼─────┼──────────────────┘     │
 *         ├─┼──── silent past its lease: after a delay ────────────────┘     │
 *         └─┼──── process replaced, worker stopped, or postponed: at once    │
 *           │                                                                │
 *           │        no attempts left                        reported        │
 *           │        error ► 5 error   silent ► 6 timed out  complete ► 4 ◄──┘
 *           │
 *           └──── from 1, 2 and 3:  cancelled ► 7    past its expiration ► 6 timed out
 *
 * 4 to 7 are final: no statement here matches an ended event. A held event (2, 3) has one holder: it is taken and
 * changed only with its row locked. attemptNumber increases with each take and never exceeds maxAttempts (the table
 * checks it too). Every move writes its history row in the same statement. All times are the database's, because the
 * clocks of nodes may differ.
 */

const longestRetrySeconds = 600;

/** Increases with each attempt and has a random part, so that devices that failed together do not retry together. */
const retryDate = (db: Db, { retrySeconds }: EventTimes): Fragment => db`
  now() + make_interval(secs =>
    least(${retrySeconds} * power(2, least(e.attempt_number - 1, 30)), ${longestRetrySeconds}) * (0.75 + random() * 0.5))`;

/** If attempts are left: pending, without a holder. Otherwise ended as `final`, with the last holder recorded. */
const again = (db: Db, final: 5 | 6, processID: number | null = null): Fragment => db`
  event_status = case when e.attempt_number < e.max_attempts then 1 else ${final}::smallint end,
  agent_id = case when e.attempt_number < e.max_attempts then null else e.agent_id end,
  process_id = case when e.attempt_number < e.max_attempts then null else coalesce(e.process_id, ${processID}::bigint) end,
  lease_end_date = null`;

export interface Report {
  readonly percentComplete?: number | null | undefined;
  readonly result?: string | null | undefined;
  readonly tagString?: string | null | undefined;
  readonly tagNumber?: number | null | undefined;
}

const given = (db: Db, column: string, value: string | number | null | undefined): Fragment =>
  value === undefined ? db`` : db`, ${db(column)} = ${value}`;

const reported = (db: Db, report: Report): Fragment => db`
  ${given(db, 'percent_complete', report.percentComplete)} ${given(db, 'result', report.result)}
  ${given(db, 'tag_string', report.tagString)} ${given(db, 'tag_number', report.tagNumber)}`;

/** The sender of a report, which is accepted only from the holder. */
export interface Reporter {
  readonly caller: Caller;
  /** The reporting process; null if the report names none. */
  readonly processID: number | null;
}

/** A report is accepted if it names the process that took the event, or if the take or the report names no process. */
const isByHolder = (db: Db, { caller, processID }: Reporter, takeID: string | undefined): Fragment => db`
  and e.server_event = 0 and ${deviceRight(db, caller, 'write')}
  ${takeID === undefined && processID !== null ? db`and coalesce(e.process_id, ${processID}::bigint) = ${processID}::bigint` : db``}`;

/** The event while the given take holds it. */
// `between` instead of `in`, for which the planner would use the index of all held events.
const heldEvent = (db: Db, eventID: number, takeID?: string, reporter?: Reporter): Fragment => db`
  select e.key, e.event_status, e.agent_id from events e ${reporter ? db`join devices d on d.key = e.device_id` : db``}
  where e.key = ${eventID} and e.event_status between 2 and 3 ${takeID === undefined ? db`` : db`and e.take_id = ${takeID}`}
    ${reporter ? isByHolder(db, reporter, takeID) : db``}
  for no key update of e`;

/** If the take named no process, the first report that names one sets it. */
const processOf = (db: Db, reporter: Reporter | undefined): Fragment =>
  reporter?.processID ? db`, process_id = coalesce(e.process_id, ${reporter.processID}::bigint)` : db``;

/** The first report sets the event to processing, and each report renews the lease. */
export async function recordProgress(
  db: Db,
  eventID: number,
  report: Report,
  times: EventTimes,
  actor: Actor,
  reporter?: Reporter,
): Promise<StoredEvent | undefined> {
  const choose = heldEvent(db, eventID, actor.takeID, reporter);
  const set = db`
    event_status = 3, lease_end_date = ${leaseEnd(db, times)} ${processOf(db, reporter)} ${reported(db, report)}`;
  const [event] = await db<StoredEvent[]>`
    with ${move(db, { choose, set, cause: db`'reported'`, actor, agents: 'none' })}
    select ${eventColumns(db)} from moved e`;
  return event;
}

export async function complete(
  db: Db,
  eventID: number,
  report: Report,
  actor: Actor,
  reporter?: Reporter,
): Promise<StoredEvent | undefined> {
  const choose = heldEvent(db, eventID, actor.takeID, reporter);
  const set = db`
    event_status = 4, lease_end_date = null ${processOf(db, reporter)} ${reported(db, { percentComplete: 100, ...report })}`;
  const [event] = await db<StoredEvent[]>`
    with ${move(db, { choose, set, cause: db`'completed'`, actor, agents: 'former holder', mayEnd: true })}
    select ${eventColumns(db)} from moved e`;
  return event;
}

/** Pending again after a delay if attempts are left, else error. */
export async function fail(
  db: Db,
  eventID: number,
  report: Report,
  times: EventTimes,
  actor: Actor,
  reporter?: Reporter,
): Promise<StoredEvent | undefined> {
  const choose = heldEvent(db, eventID, actor.takeID, reporter);
  const set = db`
    ${again(db, 5, reporter?.processID)}, ready_date = ${retryDate(db, times)} ${reported(db, report)}`;
  const [event] = await db<StoredEvent[]>`
    with ${move(db, { choose, set, cause: db`'failed'`, actor, agents: 'former holder', mayEnd: true })}
    select ${eventColumns(db)} from moved e`;
  return event;
}

/** Error, even if attempts are left: for failures that a retry would not change. */
export async function failFinally(db: Db, eventID: number, report: Report, actor: Actor): Promise<void> {
  const set = db`event_status = 5, lease_end_date = null ${reported(db, report)}`;
  const choose = heldEvent(db, eventID, actor.takeID);
  await db`with ${move(db, { choose, set, cause: db`'failed'`, actor, agents: 'former holder', mayEnd: true })} select 1`;
}

export async function cancel(db: Db, eventID: number, actor: Actor): Promise<StoredEvent | undefined> {
  const choose = db`
    select e.key, e.event_status, e.agent_id from events e
    where e.key = ${eventID} and e.event_status in (1, 2, 3) for no key update`;
  const [event] = await db<StoredEvent[]>`
    with ${move(db, { choose, set: db`event_status = 7, lease_end_date = null`, cause: db`'cancelled'`, actor, agents: 'former holder', mayEnd: true })}
    select ${eventColumns(db)} from moved e`;
  return event;
}

/** Cancels some of the pending events of a device and returns their keys. */
export async function cancelPending(db: Db, deviceID: number, most: number, actor: Actor): Promise<readonly number[]> {
  const choose = db`
    select e.key, e.event_status, e.agent_id from events e
    where e.device_id = ${deviceID} and e.event_status = 1 and e.server_event = 0
    order by e.key limit ${most} for no key update`;
  const rows = await db<{ key: number }[]>`
    with ${move(db, { choose, set: db`event_status = 7, lease_end_date = null`, cause: db`'cancelled'`, actor, agents: 'none', mayEnd: true })}
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
  const choose = db`
    select e.key, e.event_status, e.agent_id from events e
    where e.agent_id = ${former.agentID} and e.event_status in (2, 3)
      and coalesce(e.process_id, ${former.formerProcessID}::bigint) <> ${former.processID}
    order by e.key for no key update`;
  const set = db`${again(db, 6)}, ready_date = now()`;
  return movedDevices(
    await db<{ deviceID: number }[]>`
    with ${move(db, { choose, set, cause: db`'process replaced'`, actor, agents: 'former holders', mayEnd: true })}
    select device_id as "deviceID" from moved`,
  );
}

/**
 * A worker that stops or is temporarily unable to do the work gives its event back at once. The attempt does not count,
 * because the work has not failed.
 */
export async function releaseTake(
  db: Db,
  eventID: number,
  takeID: string,
  why: 'stopped' | 'postponed',
  highestPriority?: number,
): Promise<readonly number[]> {
  const cause = why === 'stopped' ? db`'worker stopped'` : db`'postponed'`;
  const priority =
    highestPriority === undefined ? db`` : db`, priority = least(e.priority, ${highestPriority}::bigint)`;
  const set = db`
    event_status = 1, attempt_number = e.attempt_number - 1, process_id = null, lease_end_date = null,
    ready_date = now() ${priority}`;
  return movedDevices(
    await db<{ deviceID: number }[]>`
    with ${move(db, { choose: heldEvent(db, eventID, takeID), set, cause, actor: {}, agents: 'none' })}
    select device_id as "deviceID" from moved`,
  );
}

/** Moves some of the held events whose lease has ended, and returns their devices. */
export async function endLeases(db: Db, times: EventTimes, most: number): Promise<readonly number[]> {
  const choose = db`
    select e.key, e.event_status, e.agent_id from events e
    where e.event_status in (2, 3) and e.lease_end_date < now()
    order by e.lease_end_date limit ${most} for no key update skip locked`;
  const set = db`${again(db, 6)}, ready_date = ${retryDate(db, times)}`;
  return movedDevices(
    await db<{ deviceID: number }[]>`
    with ${move(db, { choose, set, cause: db`'lease lost'`, actor: {}, agents: 'former holders', mayEnd: true })}
    select device_id as "deviceID" from moved`,
  );
}

/** Times out some of the events that have expired. */
export async function expire(db: Db, most: number): Promise<readonly number[]> {
  const choose = db`
    select e.key, e.event_status, e.agent_id from events e
    where e.event_status in (1, 2, 3) and e.expiration_epoch > 0 and e.expiration_epoch <= extract(epoch from now())
    order by e.expiration_epoch limit ${most} for no key update skip locked`;
  return movedDevices(
    await db<{ deviceID: number }[]>`
    with ${move(db, { choose, set: db`event_status = 6, lease_end_date = null`, cause: db`'expired'`, actor: {}, agents: 'former holders', mayEnd: true })}
    select device_id as "deviceID" from moved`,
  );
}

const movedDevices = (rows: readonly { deviceID: number }[]): readonly number[] => rows.map(({ deviceID }) => deviceID);
