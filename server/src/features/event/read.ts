import type { Db } from '../../platform/database/connect.ts';
import type { Event } from '@earshot/contract/event';
import { notFound } from '../../errors.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { findEvent } from './queries.ts';

export async function readEvent(db: Db, caller: Caller, eventID: number): Promise<Event> {
  const event = await findEvent(db, caller, eventID);
  if (!event) throw notFound('event', eventID);
  return event;
}
