import { agentTypes } from '@earshot/contract/agent-type';
import type { EventType } from '@earshot/contract/event-type';
import { builtInAliases, builtInEventTypes } from '@earshot/contract/event-type';
import type { Db, Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';

/** All types, those of an agent type, or the one with the key. */
export async function findEventTypes(
  db: Db,
  { key, agentTypeID }: { readonly key?: number; readonly agentTypeID?: number } = {},
): Promise<EventType[]> {
  return db<EventType[]>`
    select t.key, t.event_type_name as "eventTypeName", t.agent_type_id as "agentTypeID",
      a.agent_type_name as "agentType", t.detailed_description as "detailedDescription",
      t.creation_date as "creationDate", t.created_by as "createdBy", array(
        select n.event_type_name from event_type_names n where n.event_type_id = t.key and n.is_alias
        order by n.lower_name) as aliases
    from event_types t join agent_types a on a.key = t.agent_type_id
    where true ${key === undefined ? db`` : db`and t.key = ${key}`}
      ${agentTypeID === undefined ? db`` : db`and t.agent_type_id = ${agentTypeID}`}
    order by t.key`;
}

export interface FoundEventType {
  readonly eventTypeID: number;
  readonly agentTypeID: number;
  readonly eventType: string;
}

/** By its key, its name or an alias. */
export async function findEventType(
  db: Db,
  by: { name: string } | { key: number },
): Promise<FoundEventType | undefined> {
  const match =
    'key' in by
      ? db`t.key = ${by.key}`
      : db`t.key = (select n.event_type_id from event_type_names n where n.lower_name = lower(${by.name}))`;
  const [row] = await db<FoundEventType[]>`
    select t.key as "eventTypeID", t.agent_type_id as "agentTypeID", t.event_type_name as "eventType"
    from event_types t where ${match}`;
  return row;
}

export async function insertEventType(
  tx: Db,
  type: { name: string; agentTypeID: number; description: string | null; userID: number },
): Promise<number> {
  const [row] = await tx<{ key: number }[]>`
    insert into event_types (key, event_type_name, agent_type_id, detailed_description, created_by)
    values (nextval('event_type_keys'), ${type.name}, ${type.agentTypeID}, ${type.description}, ${type.userID})
    returning key`;
  if (!row) throw new Error('an inserted event type was not returned');
  return row.key;
}

interface TypeName {
  readonly name: string;
  readonly isAlias: boolean;
}

/** Inserts the names that no type has, in their order in the index, and returns these. */
export async function insertEventTypeNames(
  tx: Db,
  eventTypeID: number,
  names: readonly TypeName[],
): Promise<readonly string[]> {
  const rows = names
    .map(({ name, isAlias }) => ({
      lower_name: name.toLowerCase(),
      event_type_name: name,
      event_type_id: eventTypeID,
      is_alias: isAlias,
    }))
    .toSorted((one, other) => (one.lower_name < other.lower_name ? -1 : 1));
  if (rows.length === 0) return [];
  const added = await tx<{ name: string }[]>`
    insert into event_type_names ${tx(rows)} on conflict do nothing returning event_type_name as name`;
  return added.map(({ name }) => name);
}

export async function lockEventType(tx: Db, eventTypeID: number): Promise<boolean> {
  const rows = await tx`select 1 from event_types where key = ${eventTypeID} for no key update`;
  return rows.length === 1;
}

/** Removes the aliases except the given ones. */
export async function removeAliases(tx: Db, eventTypeID: number, except: readonly string[]): Promise<void> {
  await tx`
    delete from event_type_names where event_type_id = ${eventTypeID} and is_alias
      and lower_name <> all(${except.map((name) => name.toLowerCase())}::text[])`;
}

/**
 * Writes the types that the contract declares. Every node calls it when it starts. A name that an admin gave to a type
 * before it was built in stays with that type. Nodes that start at once do it one after the other.
 */
export const putEventTypes = (db: Pool): Promise<void> =>
  inTransaction(db, async (tx) => {
    await tx`lock table event_types in share row exclusive mode`;
    await putTypes(tx);
  });

async function putTypes(db: Db): Promise<void> {
  const declared = builtInEventTypes.map((type, index) => ({ key: index + 1, type }));
  const taken = await db<{ key: number }[]>`
    select built_in.key from unnest(${declared.map(({ key }) => key)}::int[],
      ${declared.map(({ type }) => type.name.toLowerCase())}::text[]) as built_in (key, lower_name)
    join event_types t on lower(t.event_type_name) = built_in.lower_name and t.key <> built_in.key`;
  const takenKeys = new Set(taken.map(({ key }) => key));
  const free = declared.filter(({ key }) => !takenKeys.has(key));
  const rows = free.map(({ key, type: { name, agentType, description } }) => ({
    key,
    event_type_name: name,
    agent_type_id: agentTypes.findIndex((type) => type.name === agentType) + 1,
    detailed_description: description,
  }));
  await db`
    insert into event_types ${db(rows)}
    on conflict (key) do update set event_type_name = excluded.event_type_name,
      agent_type_id = excluded.agent_type_id, detailed_description = excluded.detailed_description`;
  for (const { key, type } of free) {
    const aliases = builtInAliases(type).map((name) => ({ name, isAlias: true }));
    await insertEventTypeNames(db, key, [{ name: type.name, isAlias: false }, ...aliases]);
  }
}
