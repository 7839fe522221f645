import type { Db } from '../../../platform/database/connect.ts';
import type { StoredEvent } from '../../../platform/events/stored-event.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { enqueueEvents } from './queries.ts';
import type { EventTemplate } from './content.ts';
import { eventContent } from './content.ts';

/** Enqueues one event per device, all or none. After the commit the caller wakes the waiting polls. */
export function enqueueAll(
  db: Db,
  caller: Caller,
  deviceIDs: readonly number[],
  template: EventTemplate & { readonly eventTypeID: number; readonly agentTypeID: number },
  serverEvent: 0 | 1 = 0,
): Promise<StoredEvent[]> {
  const { eventTypeID, agentTypeID } = template;
  const content = eventContent(template);
  const events = deviceIDs.map((deviceID) => ({
    deviceID,
    eventTypeID,
    agentTypeID,
    serverEvent,
    ...content,
  }));
  return enqueueEvents(db, events, caller);
}
