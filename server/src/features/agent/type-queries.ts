import type { AgentType, CreateAgentType } from '@earshot/contract/agent-type';
import { agentTypes } from '@earshot/contract/agent-type';
import type { Db, Fragment, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';

const agentTypeColumns = (db: Db): Fragment => db`
  key, agent_type_name as "agentTypeName", detailed_description as "detailedDescription",
  creation_date as "creationDate", created_by as "createdBy"`;

export async function findAgentTypes(db: Db): Promise<AgentType[]> {
  return db<AgentType[]>`select ${agentTypeColumns(db)} from agent_types order by key`;
}

/** Returns undefined if a type of that name exists. */
export async function insertAgentType(
  db: Db,
  { userID }: Caller,
  type: CreateAgentType,
): Promise<AgentType | undefined> {
  const [row] = await db<AgentType[]>`
    insert into agent_types (key, agent_type_name, detailed_description, created_by)
    values (nextval('agent_type_keys'), ${type.agentTypeName}, ${type.detailedDescription ?? ''}, ${userID})
    on conflict do nothing returning ${agentTypeColumns(db)}`;
  return row;
}

/**
 * Writes the types that the contract declares. Every node calls it when it starts. Nodes that start at once do it one after
 * the other, or the second would violate the unique names.
 */
export async function putAgentTypes(db: Pool): Promise<void> {
  const rows = agentTypes.map(({ name, description }, index) => ({
    key: index + 1,
    agent_type_name: name,
    detailed_description: description,
  }));
  await inTransaction(db, async (tx) => {
    await tx`lock table agent_types in share row exclusive mode`;
    await tx`
      insert into agent_types ${tx(rows)}
      on conflict (key) do update set
        agent_type_name = excluded.agent_type_name, detailed_description = excluded.detailed_description`;
  });
}

export async function findAgentTypeByName(db: Db, name: string): Promise<number | undefined> {
  const [row] = await db<{ key: number }[]>`
    select key from agent_types where lower(agent_type_name) = lower(${name})`;
  return row?.key;
}
