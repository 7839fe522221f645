import type { CreateEventType, EventType, EventTypeUpdate } from '@earshot/contract/event-type';
import { builtInAliases, builtInEventTypes } from '@earshot/contract/event-type';
import { conflict, invalidField, notFound } from '../../../errors.ts';
import type { Db, Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { findAgentTypeByName } from '../../agent/public.ts';
import {
  findEventType,
  findEventTypes,
  insertEventType,
  insertEventTypeNames,
  lockEventType,
  removeAliases,
} from './queries.ts';

export async function listTypes(db: Db, agentType: string | undefined): Promise<EventType[]> {
  if (!agentType) return findEventTypes(db);
  return findEventTypes(db, { agentTypeID: await requireAgentTypeNamed(db, agentType) });
}

async function requireAgentTypeNamed(db: Db, name: string): Promise<number> {
  const agentTypeID = await findAgentTypeByName(db, name);
  if (agentTypeID === undefined) throw invalidField('agentType', 'names no agent type; see /v1/agenttype/list');
  return agentTypeID;
}

export async function addEventType(db: Pool, caller: Caller, given: CreateEventType): Promise<EventType> {
  const agentTypeID = await requireAgentTypeNamed(db, given.agentType);
  const { eventTypeName: name, aliases = [], detailedDescription: description = null } = given;
  const eventTypeID = await inTransaction(db, async (tx) => {
    const key = await insertEventType(tx, { name, agentTypeID, description, userID: caller.userID });
    await claimNames(tx, key, [name, ...aliases], name);
    return key;
  });
  return readEventType(db, eventTypeID);
}

export async function editEventType(db: Pool, { eventType, aliases }: EventTypeUpdate): Promise<EventType> {
  const found = await findEventType(db, { name: eventType });
  if (!found) throw invalidField('eventType', 'names no event type; see /v1/eventtype/list');
  const { eventTypeID } = found;
  const builtIn = builtInEventTypes[eventTypeID - 1];
  await inTransaction(db, async (tx) => {
    if (!(await lockEventType(tx, eventTypeID))) throw notFound('event type', eventTypeID);
    await removeAliases(tx, eventTypeID, [...(builtIn ? builtInAliases(builtIn) : []), ...aliases]);
    const [type] = await findEventTypes(tx, { key: eventTypeID });
    const known = new Set([type?.eventTypeName, ...(type?.aliases ?? [])].map((name) => name?.toLowerCase()));
    await claimNames(
      tx,
      eventTypeID,
      aliases.filter((name) => !known.has(name.toLowerCase())),
    );
  });
  return readEventType(db, eventTypeID);
}

/** Refuses names that another type has, and names that are given twice. */
async function claimNames(tx: Db, eventTypeID: number, names: readonly string[], ownName?: string): Promise<void> {
  const distinct = [...new Map(names.toReversed().map((name) => [name.toLowerCase(), name])).values()];
  const added = await insertEventTypeNames(
    tx,
    eventTypeID,
    distinct.map((name) => ({ name, isAlias: name !== ownName })),
  );
  const taken = distinct.filter((name) => !added.includes(name));
  if (taken.length > 0) throw conflict(`An event type is named ${taken.join(', ')} already; aliases count as names.`);
}

async function readEventType(db: Db, eventTypeID: number): Promise<EventType> {
  const [type] = await findEventTypes(db, { key: eventTypeID });
  if (!type) throw notFound('event type', eventTypeID);
  return type;
}
