import type { EventPage, EventPageFilter } from '@earshot/contract/event-page';
import { defaultCount } from '@earshot/contract/values';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { makePage, readCursor } from '../../../platform/page-cursor.ts';
import { requireDevice } from '../../../access.ts';
import { findEventsAfter } from './queries.ts';

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
