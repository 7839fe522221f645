import type { Db, Fragment } from '../../../platform/database/connect.ts';
import { changedColumns } from '../../../platform/database/changed-columns.ts';
import type { StoredEvent } from '../../../platform/events/stored-event.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { deviceRight } from '../../../access.ts';
import { eventColumns } from '../list/queries.ts';
import type { EventTimes } from '../take/lease-queries.ts';
import { leaseEnd } from '../take/lease-queries.ts';
import { pendingOrEnded, retryDate } from './queries.ts';
import type { Actor } from './record-queries.ts';
import { movedColumns, recordMove } from './record-queries.ts';

/*
 * Moves by the holder of an event: an agent, or a job of the platform. queries.ts shows all states. Each statement finds
 * nothing if the reporter does not hold the event. The state is tested with `between`, because for `in` the planner would
 * use the index of all held events.
 */

export interface Report {
  readonly percentComplete?: number | null | undefined;
  readonly result?: string | null | undefined;
  readonly tagString?: string | null | undefined;
  readonly tagNumber?: number | null | undefined;
}

/** The fields of a report that are present, as `, column = value` after other columns. */
const reported = (db: Db, report: Report): Fragment =>
  changedColumns(db, {
    percent_complete: report.percentComplete,
    result: report.result,
    tag_string: report.tagString,
    tag_number: report.tagNumber,
  });

/** The agent that sends a report. A job of the platform has no reporter: it names its take. */
export interface Reporter {
  readonly caller: Caller;
  /** The reporting process; null if the report names none. */
  readonly processID: number | null;
}

/**
 * Whether the reporter holds the event `e`. A report that names its take must name the one that holds the event. Any other
 * is accepted if it names the process that took the event, or if the take or the report names no process.
 */
function isHeldBy(db: Db, { takeID }: Actor, reporter: Reporter | undefined): Fragment {
  const isOfTake = takeID === undefined ? db`true` : db`e.take_id = ${takeID}`;
  if (!reporter) return isOfTake;
  const { caller, processID } = reporter;
  const isOfProcess =
    takeID !== undefined || processID === null
      ? db``
      : db`and coalesce(e.process_id, ${processID}::bigint) = ${processID}::bigint`;
  return db`${isOfTake} ${isOfProcess} and e.server_event = 0
    and exists (select 1 from devices d where d.key = e.device_id and ${deviceRight(db, caller, 'write')})`;
}

/**
 * The first report sets the event to processing, and each report renews the lease. If the take named no process, the
 * first report that names one sets it.
 */
export async function recordProgress(
  db: Db,
  eventID: number,
  report: Report,
  times: EventTimes,
  actor: Actor,
  reporter?: Reporter,
): Promise<StoredEvent | undefined> {
  const [event] = await db<StoredEvent[]>`
    with chosen as (
      select e.key, e.event_status, e.agent_id from events e
      where e.key = ${eventID} and e.event_status between 2 and 3 and ${isHeldBy(db, actor, reporter)}
      for no key update of e),
    moved as (
      update events e set event_status = 3, lease_end_date = ${leaseEnd(db, times)},
        process_id = coalesce(e.process_id, ${reporter?.processID ?? null}::bigint) ${reported(db, report)}
      from chosen where e.key = chosen.key
      returning ${movedColumns(db)}),
    ${recordMove(db, { cause: db`'reported'`, actor, agents: 'none' })}
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
  const [event] = await db<StoredEvent[]>`
    with chosen as (
      select e.key, e.event_status, e.agent_id from events e
      where e.key = ${eventID} and e.event_status between 2 and 3 and ${isHeldBy(db, actor, reporter)}
      for no key update of e),
    moved as (
      update events e set event_status = 4, lease_end_date = null,
        process_id = coalesce(e.process_id, ${reporter?.processID ?? null}::bigint)
        ${reported(db, { percentComplete: 100, ...report })}
      from chosen where e.key = chosen.key
      returning ${movedColumns(db)}),
    ${recordMove(db, { cause: db`'completed'`, actor, agents: 'former holder', mayEnd: true })}
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
  const [event] = await db<StoredEvent[]>`
    with chosen as (
      select e.key, e.event_status, e.agent_id from events e
      where e.key = ${eventID} and e.event_status between 2 and 3 and ${isHeldBy(db, actor, reporter)}
      for no key update of e),
    moved as (
      update events e set ${pendingOrEnded(db, 5, reporter?.processID)}, ready_date = ${retryDate(db, times)}
        ${reported(db, report)}
      from chosen where e.key = chosen.key
      returning ${movedColumns(db)}),
    ${recordMove(db, { cause: db`'failed'`, actor, agents: 'former holder', mayEnd: true })}
    select ${eventColumns(db)} from moved e`;
  return event;
}

/** Error, even if attempts are left: for failures that a retry would not change. */
export async function failFinally(db: Db, eventID: number, report: Report, actor: Actor): Promise<void> {
  await db`
    with chosen as (
      select e.key, e.event_status, e.agent_id from events e
      where e.key = ${eventID} and e.event_status between 2 and 3 and ${isHeldBy(db, actor, undefined)}
      for no key update of e),
    moved as (
      update events e set event_status = 5, lease_end_date = null ${reported(db, report)}
      from chosen where e.key = chosen.key
      returning ${movedColumns(db)}),
    ${recordMove(db, { cause: db`'failed'`, actor, agents: 'former holder', mayEnd: true })}
    select 1`;
}

/**
 * A worker that stops or is temporarily unable to do the work gives its event back at once, and gets the device. The
 * attempt does not count, because the work has not failed.
 */
export async function releaseTake(
  db: Db,
  eventID: number,
  takeID: string,
  why: 'stopped' | 'postponed',
  highestPriority?: number,
): Promise<readonly number[]> {
  const cause = why === 'stopped' ? db`'worker stopped'` : db`'postponed'`;
  const rows = await db<{ deviceID: number }[]>`
    with chosen as (
      select e.key, e.event_status, e.agent_id from events e
      where e.key = ${eventID} and e.event_status between 2 and 3 and ${isHeldBy(db, { takeID }, undefined)}
      for no key update of e),
    moved as (
      update events e set event_status = 1, attempt_number = e.attempt_number - 1, process_id = null,
        lease_end_date = null, ready_date = now(), priority = least(e.priority, ${highestPriority ?? null}::bigint)
      from chosen where e.key = chosen.key
      returning ${movedColumns(db)}),
    ${recordMove(db, { cause, actor: {}, agents: 'none' })}
    select device_id as "deviceID" from moved`;
  return rows.map(({ deviceID }) => deviceID);
}

/** The longest that an event waits for what the platform needs, from when it waited first. */
const longestWaitHours = 24;

/**
 * The work could not be done because something of the platform cannot be used. The attempt does not count. False if the event
 * has waited for too long already, or is not held by this take any more.
 */
export async function waitForUse(
  db: Db,
  eventID: number,
  takeID: string,
  reason: string,
  pauseSeconds: number,
): Promise<boolean> {
  const rows = await db`
    with chosen as (
      select e.key, e.event_status, e.agent_id from events e
      where e.key = ${eventID} and e.event_status between 2 and 3 and ${isHeldBy(db, { takeID }, undefined)}
        and not exists (
          select from event_transitions t
          where t.event_id = e.key and t.cause = 'waiting'
            and t.transition_date < now() - make_interval(hours => ${longestWaitHours}))
      for no key update of e),
    moved as (
      update events e set event_status = 1, attempt_number = e.attempt_number - 1, process_id = null,
        lease_end_date = null, ready_date = now() + make_interval(secs => ${pauseSeconds} * (1.5 + random())), result = ${reason}
      from chosen where e.key = chosen.key
      returning ${movedColumns(db)}),
    ${recordMove(db, { cause: db`'waiting'`, actor: {}, agents: 'none' })}
    select 1 from moved`;
  return rows.length > 0;
}
