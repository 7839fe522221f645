import type { EventType } from '@earshot/contract/event-type';
import { conflict, invalid, invalidField } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { findAgentTypeByName } from '../agent-type/queries.ts';
import type { FoundEventType } from './queries.ts';
import { findEventType, insertEventType, listEventTypes } from './queries.ts';


export interface TypeNames {
  readonly eventType?: string | undefined;
  readonly eventTypeID?: number | undefined;
  readonly agentType?: string | undefined;
  readonly agentTypeID?: number | undefined;
}

/** Finds the event type by name or id. A given agent type must be the one of the event type. */
export async function requireEventType(db: Db, names: TypeNames): Promise<FoundEventType> {
  const { eventType, eventTypeID } = names;
  if (!eventType && !eventTypeID) throw invalidField('eventType', 'or eventTypeID is required');
  const found = await findEventType(db, eventType ? { name: eventType } : { key: eventTypeID ?? 0 });
  if (!found)
    throw invalidField(eventType ? 'eventType' : 'eventTypeID', 'names no event type; see /v1/eventtype/list');
  const agentTypeID = names.agentType ? await findAgentTypeByName(db, names.agentType) : names.agentTypeID || undefined;
  if (names.agentType && agentTypeID === undefined) throw invalidField('agentType', 'names no agent type');
  if (agentTypeID !== undefined && agentTypeID !== found.agentTypeID) {
    const path = names.agentType ? 'agentType' : 'agentTypeID';
    throw invalid([{ path, message: `does not belong to the event type ${found.eventType}` }]);
  }
  return found;
}

export async function createEventType(
  db: Db,
  caller: Caller,
  given: { eventTypeName: string; agentType: string; detailedDescription?: string | null },
): Promise<EventType | undefined> {
  const agentTypeID = await findAgentTypeByName(db, given.agentType);
  if (agentTypeID === undefined) throw invalidField('agentType', 'names no agent type');
  const description = given.detailedDescription ?? null;
  const key = await insertEventType(db, { name: given.eventTypeName, agentTypeID, description, userID: caller.userID });
  if (key === undefined) throw conflict(`The event type ${given.eventTypeName} exists already.`);
  return (await listEventTypes(db)).find((type) => type.key === key);
}
