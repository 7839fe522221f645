import type { Db } from '../../platform/database/connect.ts';
import type { StoredEvent } from '../../platform/events/stored-event.ts';
import { notFound } from '../../errors.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { findEvent } from './queries.ts';

export async function readEvent(db: Db, caller: Caller, eventID: number): Promise<StoredEvent> {
  const event = await findEvent(db, caller, eventID);
  if (!event) throw notFound('event', eventID);
  return event;
}
