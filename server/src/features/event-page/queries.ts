import type { EventState } from '@earshot/contract/event';
import type { EventPage } from '@earshot/contract/event-page';
import { eventStatusName } from '@earshot/contract/event-status';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../access/rules.ts';
import { eventColumns } from '../event/rules.ts';

export interface EventPlace {
  /** Of its creation, in microseconds since 1970: the database's own precision. */
  readonly time: number;
  readonly key: number;
}

export interface EventFilter {
  readonly deviceID: number | undefined;
  readonly state: EventState | undefined;
  /** Only what comes after this place, in the order of the list. */
  readonly after: EventPlace | undefined;
  readonly count: number;
  readonly ascending: boolean;
}

type ListedEvent = EventPage['results'][number];
export type PlacedEvent = ListedEvent & EventPlace;

/**
 * The first events of each readable device by its own index, then the first of those; an admin reads the index of all.
 * What is open is read as a whole: it is only as much as there is to do.
 */
export async function findEventsAfter(db: Db, caller: Caller, filter: EventFilter): Promise<PlacedEvent[]> {
  const { deviceID, state, after, ascending, count } = filter;
  const direction = ascending ? db`asc` : db`desc`;
  const place = after ?? { time: 0, key: 0 };
  const date = db`'epoch'::timestamptz + ${place.time}::bigint * interval '1 microsecond'`;
  const isAfter = ascending
    ? db`and (e.creation_date, e.key) > (${date}, ${place.key}::bigint)`
    : db`and (e.creation_date, e.key) < (${date}, ${place.key}::bigint)`;
  const further = after ? isAfter : db``;
  const order = db`order by e.creation_date ${direction}, e.key ${direction} limit ${count}`;
  const everyDevice = caller.role === 'admin' && caller.deviceID === undefined && !deviceID;
  const ofState = stateFilter(db, state);
  const closed = everyDevice
    ? db`(select * from events e where true ${ofState} ${further} ${order}) e join devices d on d.key = e.device_id`
    : db`devices d cross join lateral (select * from events e where e.device_id = d.key ${ofState} ${further} ${order}) e`;
  const rows = await db<PlacedEvent[]>`
    select ${eventColumns(db)}, d.device_name as "deviceName", t.event_type_name as "eventType",
      a.agent_type_name as "agentType", (extract(epoch from e.creation_date) * 1000000)::bigint as time
    from ${state === 'open' ? openEvents(db, further) : closed}
    join event_types t on t.key = e.event_type_id join agent_types a on a.key = e.agent_type_id
    where ${deviceRight(db, caller, 'read')} ${deviceID ? db`and d.key = ${deviceID}` : db``}
    ${order}`;
  return rows.map((row) => ({ ...row, eventStatusName: eventStatusName(row.eventStatus ?? 0) }));
}

// In the words of the indexes that hold them.
const stateFilter = (db: Db, state: EventState | undefined): Fragment => {
  if (state === 'failed') return db`and e.event_status in (5, 6)`;
  return state === 'ended' ? db`and e.event_status >= 4` : db``;
};

const openEvents = (db: Db, further: Fragment): Fragment => db`
  (select * from events e where e.event_status = 1 and e.server_event = 0 ${further}
    union all select * from events e where e.event_status = 1 and e.server_event = 1 ${further}
    union all select * from events e where e.event_status in (2, 3) ${further}) e join devices d on d.key = e.device_id`;
