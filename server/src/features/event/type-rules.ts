import type { EventType } from '@earshot/contract/event-type';
import { conflict, invalidField } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { insertEventType, findEventTypes } from './type-queries.ts';
import { findAgentTypeByName } from '../agent/public.ts';

export async function addEventType(
  db: Db,
  caller: Caller,
  given: { eventTypeName: string; agentType: string; detailedDescription?: string | null },
): Promise<EventType | undefined> {
  const agentTypeID = await findAgentTypeByName(db, given.agentType);
  if (agentTypeID === undefined) throw invalidField('agentType', 'names no agent type');
  const description = given.detailedDescription ?? null;
  const key = await insertEventType(db, { name: given.eventTypeName, agentTypeID, description, userID: caller.userID });
  if (key === undefined) throw conflict(`The event type ${given.eventTypeName} exists already.`);
  return (await findEventTypes(db)).find((type) => type.key === key);
}
