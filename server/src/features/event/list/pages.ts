import type { EventPage, EventPageFilter, SortedEvents, SortedEventsFilter } from '@earshot/contract/event-page';
import { eventSorts } from '@earshot/contract/event-page';
import { defaultCount } from '@earshot/contract/values';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { makePage, readCursor } from '../../../platform/page-cursor.ts';
import { findPage } from '../../../platform/table.ts';
import { requireDevice } from '../../../access.ts';
import { countListedEvents, findEventsAfter } from './queries.ts';

/** A page of events, starting at the cursor. One more than requested is read, to know whether there are more. */
export async function findEventPage(db: Db, caller: Caller, given: EventPageFilter): Promise<EventPage> {
  const cursor = given.cursor === undefined ? undefined : readCursor(given.cursor);
  const count = given.count || defaultCount;
  const ascending = given.order?.toLowerCase() === 'asc';
  const deviceID = given.deviceID || undefined;
  const found = await findEventsAfter(db, caller, {
    deviceID,
    state: given.eventState,
    serverEvent: given.serverEvent,
    after: cursor,
    count: count + 1,
    ascending: ascending !== (cursor?.isBack ?? false),
  });
  // Only an empty result needs a second query, which checks whether the caller may read the device.
  if (found.length === 0 && deviceID) await requireDevice(db, caller, 'read', deviceID);
  const shown = found.slice(0, count);
  const end = found.length > count ? shown.at(-1) : undefined;
  const { rows, ...cursors } = makePage({ cursor, ascending, rows: shown, end });
  return { results: [...rows], ...cursors };
}

/** A page of the table of events, with their number. */
export async function findSortedEvents(db: Db, caller: Caller, given: SortedEventsFilter): Promise<SortedEvents> {
  const { deviceID, eventState: state, serverEvent, eventType } = given;
  const filter = { deviceID: deviceID || undefined, state, serverEvent, eventType };
  const page = await findPage(
    given,
    eventSorts,
    { creationDate: { kind: 'date', isAlwaysKnown: true } },
    {
      async findRows(_sort, { ascending, after, limit }) {
        const place = after && { time: Number(after.value), key: after.key };
        const rows = await findEventsAfter(db, caller, { ...filter, ascending, after: place, count: limit });
        return rows.map((row) => ({ ...row, place: row.time }));
      },
      countRows: () => countListedEvents(db, caller, { ...filter, ascending: true, count: undefined }),
    },
  );
  if (page.total === 0 && filter.deviceID) await requireDevice(db, caller, 'read', filter.deviceID);
  return page;
}
