import type { Db } from '../../platform/database/connect.ts';
import type { StoredEvent } from '../../platform/events/stored-event.ts';
import { notFound } from '../../errors.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { selectEventsByKey } from './list/queries.ts';
import { findEvent } from './queries.ts';

export async function readEvent(db: Db, caller: Caller, eventID: number): Promise<StoredEvent> {
  const event = await findEvent(db, caller, eventID);
  if (!event) throw notFound('event', eventID);
  return event;
}

/** Throws unless the caller may read all of them. */
export async function requireEvents(
  db: Db,
  caller: Caller,
  events: readonly { readonly key?: number }[],
): Promise<void> {
  const keys = events.flatMap(({ key }) => key ?? []);
  const found = new Set((await selectEventsByKey(db, caller, keys)).map(({ key }) => key));
  const missing = keys.find((key) => !found.has(key));
  if (missing !== undefined) throw notFound('event', missing);
}
