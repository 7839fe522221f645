import type { Event, EventState, EventTransition } from '@earshot/contract/event';
import type { Right } from '@earshot/contract/operation';
import { defaultCount } from '@earshot/contract/values';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../access/rules.ts';
import { cameOnline, noteContact } from '../device/rules.ts';
import { recordChanges } from '../live/rules.ts';
import { eventColumns } from './columns.ts';
import { isDue } from './due.ts';

export async function findEvent(db: Db, caller: Caller, eventID: number): Promise<Event | undefined> {
  const [row] = await db<Event[]>`
    select ${eventColumns(db)} from events e join devices d on d.key = e.device_id
    where e.key = ${eventID} and ${deviceRight(db, caller, 'read')}`;
  return row;
}

/** For the live stream, which asks what each of its listeners may read. */
export async function findEventsByKey(db: Db, keys: readonly number[]): Promise<Event[]> {
  return db<Event[]>`select ${eventColumns(db)} from events e where e.key = any(${keys as number[]}::bigint[])`;
}

export interface LockedEvent extends Event {
  readonly eventStatus: number;
  readonly takeID: string | null;
}

/** The event, held against other changes until the transaction ends. */
export async function lockEvent(
  tx: Db,
  caller: Caller,
  right: Right,
  eventID: number,
): Promise<LockedEvent | undefined> {
  const [row] = await tx<LockedEvent[]>`
    select ${eventColumns(tx)}, e.take_id as "takeID" from events e join devices d on d.key = e.device_id
    where e.key = ${eventID} and ${deviceRight(tx, caller, right)}
    for no key update of e`;
  return row;
}

export async function findEventByTake(db: Db, deviceID: number, takeID: string): Promise<Event | undefined> {
  const [row] = await db<Event[]>`
    select ${eventColumns(db)} from events e where e.device_id = ${deviceID} and e.take_id = ${takeID}`;
  return row;
}

const names = (db: Db): Fragment => db`
  d.device_name as "deviceName", t.event_type_name as "eventType", a.agent_type_name as "agentType",
  (array['pending', 'checked out', 'processing', 'complete', 'error', 'timed out', 'cancelled'])[e.event_status]
    as "eventStatusName"`;

const withNames = (db: Db): Fragment => db`
  join event_types t on t.key = e.event_type_id join agent_types a on a.key = e.agent_type_id`;

export interface PendingFilter {
  readonly deviceID: number;
  readonly agentTypeID: number | undefined;
}

/** The event that would be taken next, and is left where it is. */
export async function findNextPending(db: Db, caller: Caller, filter: PendingFilter): Promise<Event[]> {
  const type = filter.agentTypeID === undefined ? db`` : db`and e.agent_type_id = ${filter.agentTypeID}`;
  return db<Event[]>`
    select ${eventColumns(db)}, ${names(db)} from devices d join events e on e.device_id = d.key ${withNames(db)}
    where d.key = ${filter.deviceID} and ${deviceRight(db, caller, 'read')}
      and e.event_status = 1 and e.server_event = 0 ${type} and ${isDue(db)}
    order by e.priority desc, e.key limit 1`;
}

/** Of the devices given, those that have something to take. One question for everyone who waits. */
export async function findDevicesWithWork(db: Db, deviceIDs: readonly number[]): Promise<readonly number[]> {
  const rows = await db<{ deviceID: number }[]>`
    select distinct e.device_id as "deviceID" from events e
    where e.device_id = any(${deviceIDs as number[]}::bigint[])
      and e.event_status = 1 and e.server_event = 0 and ${isDue(db)}`;
  return rows.map(({ deviceID }) => deviceID);
}

export interface EventFilter {
  readonly deviceID: number | undefined;
  readonly state: EventState | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  readonly count: number | undefined;
  readonly ascending: boolean;
}

/**
 * The newest of each readable device by its own index, then the newest of those: however many events there are,
 * no more are read than are asked for, times the devices. An admin reads the index of all. What is open is read as a
 * whole: it is only as much as there is to do.
 */
export async function listEvents(db: Db, caller: Caller, filter: EventFilter): Promise<Event[]> {
  const direction = filter.ascending ? db`asc` : db`desc`;
  const count = filter.count || defaultCount;
  const within = db`
    ${filter.from ? db`and e.creation_date >= ${filter.from}` : db``}
    ${filter.to ? db`and e.creation_date < ${filter.to}` : db``}`;
  const order = db`order by e.creation_date ${direction}, e.key ${direction} limit ${count}`;
  const everyDevice = caller.role === 'admin' && caller.deviceID === undefined && !filter.deviceID;
  const ofState = stateFilter(db, filter.state);
  const closed = everyDevice
    ? db`(select * from events e where true ${ofState} ${within} ${order}) e join devices d on d.key = e.device_id`
    : db`devices d cross join lateral (select * from events e where e.device_id = d.key ${ofState} ${within} ${order}) e`;
  const source = filter.state === 'open' ? openEvents(db, within) : closed;
  return db<Event[]>`
    select ${eventColumns(db)}, ${names(db)} from ${source} ${withNames(db)}
    where ${deviceRight(db, caller, 'read')} ${filter.deviceID ? db`and d.key = ${filter.deviceID}` : db``}
    ${order}`;
}

// In the words of the indexes that hold them.
const stateFilter = (db: Db, state: EventState | undefined): Fragment => {
  if (state === 'failed') return db`and e.event_status in (5, 6)`;
  return state === 'ended' ? db`and e.event_status >= 4` : db``;
};

const openEvents = (db: Db, within: Fragment): Fragment => db`
  (select * from events e where e.event_status = 1 and e.server_event = 0 ${within}
    union all select * from events e where e.event_status = 1 and e.server_event = 1 ${within}
    union all select * from events e where e.event_status in (2, 3) ${within}) e join devices d on d.key = e.device_id`;

export async function listTransitions(db: Db, eventID: number): Promise<EventTransition[]> {
  return db<EventTransition[]>`
    select event_id as "eventID", transition_date as date, from_status as "fromStatus", to_status as "toStatus", cause,
      attempt_number as "attemptNumber", user_id as "userID", agent_id as "agentID", result
    from event_transitions where event_id = ${eventID} order by key`;
}

export const recordPoll = (db: Db, deviceID: number): Promise<void> => notePolls(db, db`d.key = ${deviceID}`);

/** Never waits, for others note the same devices: one that is locked is being polled or changed, and its turn comes again. */
export const recordPolls = (db: Db, deviceIDs: readonly number[]): Promise<void> =>
  notePolls(
    db,
    db`d.key in (
      select key from devices where key = any(${deviceIDs as number[]}::bigint[]) for no key update skip locked)`,
  );

async function notePolls(db: Db, isPolled: Fragment): Promise<void> {
  await db`
    with polled as (
      update devices d set last_poll_date = now() where ${isPolled} returning d.key as device_id),
    ${noteContact(db, db`select device_id from polled`)}
    ${recordChanges(db, cameOnline(db))}`;
}
