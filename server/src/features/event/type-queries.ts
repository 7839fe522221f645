import { agentTypes } from '@earshot/contract/agent-type';
import type { EventType } from '@earshot/contract/event-type';
import { builtInEventTypes } from '@earshot/contract/event-type';
import type { Db } from '../../platform/database/connect.ts';

export async function findEventTypes(db: Db): Promise<EventType[]> {
  return db<EventType[]>`
    select t.key, t.event_type_name as "eventTypeName", t.agent_type_id as "agentTypeID",
      a.agent_type_name as "agentType", t.detailed_description as "detailedDescription",
      t.creation_date as "creationDate", t.created_by as "createdBy"
    from event_types t join agent_types a on a.key = t.agent_type_id order by t.key`;
}

export interface FoundEventType {
  readonly eventTypeID: number;
  readonly agentTypeID: number;
  readonly eventType: string;
}

export async function findEventType(
  db: Db,
  by: { name: string } | { key: number },
): Promise<FoundEventType | undefined> {
  const match = 'key' in by ? db`key = ${by.key}` : db`lower(event_type_name) = lower(${by.name})`;
  const [row] = await db<FoundEventType[]>`
    select key as "eventTypeID", agent_type_id as "agentTypeID", event_type_name as "eventType"
    from event_types where ${match}`;
  return row;
}

/** Returns undefined if a type of that name exists. */
export async function insertEventType(
  db: Db,
  type: { name: string; agentTypeID: number; description: string | null; userID: number },
): Promise<number | undefined> {
  const [row] = await db<{ key: number }[]>`
    insert into event_types (key, event_type_name, agent_type_id, detailed_description, created_by)
    values (nextval('event_type_keys'), ${type.name}, ${type.agentTypeID}, ${type.description}, ${type.userID})
    on conflict do nothing returning key`;
  return row?.key;
}

/** Writes the types that the contract declares. Every node calls it when it starts. */
export async function putEventTypes(db: Db): Promise<void> {
  const rows = builtInEventTypes.map(({ name, agentType, description }, index) => ({
    key: index + 1,
    event_type_name: name,
    agent_type_id: agentTypes.findIndex((type) => type.name === agentType) + 1,
    detailed_description: description,
  }));
  await db`
    insert into event_types ${db(rows)}
    on conflict (key) do update set event_type_name = excluded.event_type_name,
      agent_type_id = excluded.agent_type_id, detailed_description = excluded.detailed_description`;
}
