import type { EventTransition } from '@earshot/contract/event';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { StoredEvent } from '../../platform/events/stored-event.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight, isMakerOfEvent } from '../../access.ts';
import { eventColumns, listedColumns, nameStatus, withTypes } from './list/queries.ts';

/** Whether the pending event `e` may be taken now: its delay is over, and it has not expired. */
export const isDue = (db: Db): Fragment => db`
  (e.ready_date <= now() and (e.expiration_epoch = 0 or e.expiration_epoch > extract(epoch from now())))`;

/** For the live stream, which checks separately what each listener may read. */
export async function findEventsByKey(db: Db, keys: readonly number[]): Promise<StoredEvent[]> {
  return db<StoredEvent[]>`select ${eventColumns(db)} from events e where e.key = any(${keys as number[]}::bigint[])`;
}

export type LockedEvent = StoredEvent & { readonly takeID: string | null };

/** Locks an event that the caller may change, until the transaction ends. */
export const lockEvent = (tx: Db, caller: Caller, eventID: number): Promise<LockedEvent | undefined> =>
  lockOne(tx, eventID, deviceRight(tx, caller, 'write'));

/** The same for an event to cancel: the person who asked for an export may cancel it, and needs only to read. */
export const lockToCancel = (tx: Db, caller: Caller, eventID: number): Promise<LockedEvent | undefined> =>
  lockOne(
    tx,
    eventID,
    tx`(${deviceRight(tx, caller, 'write')} or (${deviceRight(tx, caller, 'read')} and ${isMakerOfEvent(tx, caller)}))`,
  );

async function lockOne(tx: Db, eventID: number, right: Fragment): Promise<LockedEvent | undefined> {
  const [row] = await tx<LockedEvent[]>`
    select ${eventColumns(tx)}, e.take_id as "takeID" from events e join devices d on d.key = e.device_id
    where e.key = ${eventID} and ${right}
    for no key update of e`;
  return row;
}

export async function findEventByTake(db: Db, deviceID: number, takeID: string): Promise<StoredEvent | undefined> {
  const [row] = await db<StoredEvent[]>`
    select ${eventColumns(db)} from events e where e.device_id = ${deviceID} and e.take_id = ${takeID}`;
  return row;
}

export interface PendingFilter {
  readonly deviceID: number;
  readonly agentTypeID: number | undefined;
}

/** The event that would be taken next. Does not take it. */
export async function findNextPending(db: Db, caller: Caller, filter: PendingFilter): Promise<StoredEvent[]> {
  const type = filter.agentTypeID === undefined ? db`` : db`and e.agent_type_id = ${filter.agentTypeID}`;
  const rows = await db<StoredEvent[]>`
    select ${listedColumns(db)} from devices d join events e on e.device_id = d.key ${withTypes(db)}
    where d.key = ${filter.deviceID} and ${deviceRight(db, caller, 'read')}
      and e.event_status = 1 and e.server_event = 0 ${type} and ${isDue(db)}
    order by e.priority desc, e.key limit 1`;
  return rows.map(nameStatus);
}

/** The given devices that have an event to take. One query for all waiting polls. */
export async function findDevicesWithWork(db: Db, deviceIDs: readonly number[]): Promise<readonly number[]> {
  const rows = await db<{ deviceID: number }[]>`
    select distinct e.device_id as "deviceID" from events e
    where e.device_id = any(${deviceIDs as number[]}::bigint[])
      and e.event_status = 1 and e.server_event = 0 and ${isDue(db)}`;
  return rows.map(({ deviceID }) => deviceID);
}

export async function listTransitions(db: Db, eventID: number): Promise<EventTransition[]> {
  return db<EventTransition[]>`
    select event_id as "eventID", transition_date as date, from_status as "fromStatus", to_status as "toStatus", cause,
      attempt_number as "attemptNumber", user_id as "userID", agent_id as "agentID", result
    from event_transitions where event_id = ${eventID} order by key`;
}

export const lockEventsOfDevice = (tx: Db, deviceID: number): Promise<unknown> =>
  tx`select 1 from events where device_id = ${deviceID} for update`;

/** With their history, to which no foreign key leads. */
export async function removeEventsOfDevice(tx: Db, deviceID: number): Promise<void> {
  // A statement of its own: it sees the history that others wrote until the events were locked.
  await tx`delete from event_transitions t using events e where e.device_id = ${deviceID} and t.event_id = e.key`;
  await tx`delete from events where device_id = ${deviceID}`;
}

/** Only the platform's own work, such as captioning, which belongs to the clips. */
export const moveEventsOfDevice = (tx: Db, deviceID: number, intoID: number): Promise<unknown> =>
  tx`update events set device_id = ${intoID} where device_id = ${deviceID} and server_event = 1`;

export async function findEvent(db: Db, caller: Caller, eventID: number): Promise<StoredEvent | undefined> {
  const [row] = await db<StoredEvent[]>`
    select ${eventColumns(db)} from events e join devices d on d.key = e.device_id
    where e.key = ${eventID} and ${deviceRight(db, caller, 'read')}`;
  return row;
}
