import type { Db } from '../../../platform/database/connect.ts';
import type { Event } from '@earshot/contract/event';
import type { Caller } from '../../../platform/http/caller.ts';
import { enqueueEvents } from './queries.ts';
import type { EventTemplate } from './content.ts';
import { eventContent } from './content.ts';

/** Enqueues one event per device, all or none. After the commit the caller wakes the waiting polls. */
export function enqueueAll(
  db: Db,
  caller: Caller,
  deviceIDs: readonly number[],
  template: EventTemplate & { eventTypeID?: number; agentTypeID?: number },
  serverEvent: 0 | 1 = 0,
): Promise<Event[]> {
  const { eventTypeID = 0, agentTypeID = 0 } = template;
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
