import type { Db } from '../../../platform/database/connect.ts';
import { invalid, invalidField } from '../../../errors.ts';
import type { FoundEventType } from './queries.ts';
import { findEventType } from './queries.ts';
import { findAgentTypeByName } from '../../agent/public.ts';

interface TypeNames {
  readonly eventType?: string | undefined;
  readonly eventTypeID?: number | undefined;
  readonly agentType?: string | undefined;
  readonly agentTypeID?: number | undefined;
}

/** Finds the event type by name or id. A given agent type must be the one of the event type. */
export async function requireEventType(db: Db, names: TypeNames): Promise<FoundEventType> {
  const { eventType, eventTypeID } = names;
  const by = eventType ? { name: eventType } : eventTypeID && { key: eventTypeID };
  if (!by) throw invalidField('eventType', 'or eventTypeID is required');
  const found = await findEventType(db, by);
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
