import type { EventState } from '@earshot/contract/event';
import type { EventPage } from '@earshot/contract/event-page';
import { eventStatusDescription, eventStatusName } from '@earshot/contract/event-status';
import { defaultCount } from '@earshot/contract/values';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { StoredEvent } from '../../../platform/events/stored-event.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { countFound } from '../../../platform/table.ts';
import { deviceRight, isPossibleDevice } from '../../../access.ts';

/** An event as the contract shows it, over the alias e. An expiration of 0 means "never". */
export const eventColumns = (db: Db): Fragment => db`
  e.key, e.device_id as "deviceID", e.agent_type_id as "agentTypeID", e.agent_id as "agentID",
  e.event_type_id as "eventTypeID", e.server_event as "serverEvent", e.event_status as "eventStatus",
  e.event_parameters as "eventParameters", e.process_id as "processID", e.result,
  e.percent_complete as "percentComplete", e.priority, e.expiration_epoch as "expirationEpoch",
  e.attempt_number as "attemptNumber", e.max_attempts as "maxAttempts", e.tag_string as "tagString",
  e.tag_number as "tagNumber", e.creation_date as "creationDate"`;

/** The columns of an event as lists show it, except the words for its status, which `nameStatus` adds. */
export const listedColumns = (db: Db): Fragment => db`
  ${eventColumns(db)}, d.device_name as "deviceName", t.event_type_name as "eventType", a.agent_type_name as "agentType",
  g.agent_index as "agentIndex", g.version`;

export const withTypes = (db: Db): Fragment => db`
  join event_types t on t.key = e.event_type_id join agent_types a on a.key = e.agent_type_id
  left join agents g on g.key = e.agent_id`;

export const nameStatus = <Listed extends StoredEvent>(event: Listed): Listed => ({
  ...event,
  eventStatusName: eventStatusName(event.eventStatus),
  eventStatusDescription: eventStatusDescription(event.eventStatus),
});

interface Listing {
  readonly deviceID: number | undefined;
  readonly state: EventState | undefined;
  /** The name of a type. */
  readonly eventType?: string | undefined;
  readonly count: number | undefined;
  readonly ascending: boolean;
}

/**
 * Reads the newest events of each readable device along its index, and of these the newest. So the number of rows read
 * is at most the requested count times the number of devices, whatever the number of events. An admin's query reads one
 * index of all events. Open events are read completely: there are only as many as there is work to do.
 */
function selectListed(db: Db, caller: Caller, listing: Listing, columns: Fragment, within: Fragment): Fragment {
  const { deviceID, state, count, ascending } = listing;
  const direction = ascending ? db`asc` : db`desc`;
  const order = db`order by e.creation_date ${direction}, e.key ${direction} limit ${count || defaultCount}`;
  const everyDevice = caller.role === 'admin' && caller.deviceID === undefined && !deviceID;
  const ofState = stateFilter(db, state);
  const closed = everyDevice
    ? db`(select * from events e where true ${ofState} ${within} ${order}) e join devices d on d.key = e.device_id`
    : db`devices d cross join lateral (select * from events e where e.device_id = d.key ${ofState} ${within} ${order}) e`;
  return db`
    select ${columns} from ${state === 'open' ? openEvents(db, within) : closed} ${withTypes(db)}
    where ${deviceRight(db, caller, 'read')} ${deviceID ? db`and d.key = ${deviceID}` : db``}
    ${order}`;
}

// Written exactly as in the conditions of the partial indexes.
const stateFilter = (db: Db, state: EventState | undefined): Fragment => {
  if (state === 'failed') return db`and e.event_status in (5, 6)`;
  return state === 'ended' ? db`and e.event_status >= 4` : db``;
};

const openEvents = (db: Db, within: Fragment): Fragment => db`
  (select * from events e where e.event_status = 1 and e.server_event = 0 ${within}
    union all select * from events e where e.event_status = 1 and e.server_event = 1 ${within}
    union all select * from events e where e.event_status in (2, 3) ${within}) e join devices d on d.key = e.device_id`;

export interface EventQuery extends Listing {
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

export async function selectEvents(db: Db, caller: Caller, filter: EventQuery): Promise<StoredEvent[]> {
  const within = db`
    ${filter.from ? db`and e.creation_date >= ${filter.from}` : db``}
    ${filter.to ? db`and e.creation_date < ${filter.to}` : db``}`;
  return (await db<StoredEvent[]>`${selectListed(db, caller, filter, listedColumns(db), within)}`).map(nameStatus);
}

/** In the order of their keys. */
export async function selectEventsByKey(db: Db, caller: Caller, keys: readonly number[]): Promise<StoredEvent[]> {
  const rows = await db<StoredEvent[]>`
    select ${listedColumns(db)} from events e join devices d on d.key = e.device_id ${withTypes(db)}
    where e.key = any(${keys as number[]}::bigint[]) and ${deviceRight(db, caller, 'read')} order by e.key`;
  return rows.map(nameStatus);
}

export interface EventPlace {
  /** The creation time in microseconds since 1970, the precision of the database. */
  readonly time: number;
  readonly key: number;
}

export interface PageFilter extends Listing {
  /** Only events after this place, in the order of the list. */
  readonly after: EventPlace | undefined;
  /** Only the platform's own work (1), or only that of devices (0). */
  readonly serverEvent: number | undefined;
}

export type PlacedEvent = EventPage['results'][number] & StoredEvent & EventPlace;

export async function findEventsAfter(db: Db, caller: Caller, filter: PageFilter): Promise<PlacedEvent[]> {
  const { after, ascending } = filter;
  const columns = db`${listedColumns(db)}, (extract(epoch from e.creation_date) * 1000000)::bigint as time`;
  const within = db`${ofKind(db, filter)} ${after ? isAfter(db, after, ascending) : db``}`;
  return (await db<PlacedEvent[]>`${selectListed(db, caller, filter, columns, within)}`).map(nameStatus);
}

function ofKind(db: Db, { serverEvent, eventType }: Pick<PageFilter, 'serverEvent' | 'eventType'>): Fragment {
  // Written exactly as in the conditions of the partial indexes.
  const whose = serverEvent === 0 ? db`and e.server_event = 0` : db`and e.server_event = 1`;
  const ofType = db`and e.event_type_id = (select key from event_types where lower(event_type_name) = lower(${eventType ?? ''}))`;
  return db`${serverEvent === undefined ? db`` : whose} ${eventType ? ofType : db``}`;
}

/** How many events match: an admin's query joins no device, because every event has one. */
export function countListedEvents(db: Db, caller: Caller, filter: Omit<PageFilter, 'after'>): Promise<number> {
  const { deviceID, state } = filter;
  const [kind, ofState] = [ofKind(db, filter), stateFilter(db, state)];
  const readable = db`
    ${deviceRight(db, caller, 'read')} and ${isPossibleDevice(db, caller)}
    ${deviceID ? db`and d.key = ${deviceID}` : db``}`;
  if (state === 'open') return countFound(db, db`from ${openEvents(db, kind)} where ${readable}`);
  if (caller.role === 'admin' && !deviceID) return countFound(db, db`from events e where true ${ofState} ${kind}`);
  return countFound(db, db`from devices d join events e on e.device_id = d.key where ${readable} ${ofState} ${kind}`);
}

function isAfter(db: Db, { time, key }: EventPlace, ascending: boolean): Fragment {
  const place = db`('epoch'::timestamptz + ${time}::bigint * interval '1 microsecond', ${key}::bigint)`;
  return ascending ? db`and (e.creation_date, e.key) > ${place}` : db`and (e.creation_date, e.key) < ${place}`;
}
