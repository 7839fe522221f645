import type { AgentType } from '@earshot/contract/agent-type';
import { agentTypes } from '@earshot/contract/agent-type';
import type { Db } from '../../platform/database/connect.ts';

export async function findAgentTypes(db: Db): Promise<AgentType[]> {
  return db<AgentType[]>`
    select key, agent_type_name as "agentTypeName", detailed_description as "detailedDescription",
      creation_date as "creationDate"
    from agent_types order by key`;
}

/** Writes the types that the contract declares. Every node calls it when it starts. */
export async function putAgentTypes(db: Db): Promise<void> {
  const rows = agentTypes.map(({ name, description }, index) => ({
    key: index + 1,
    agent_type_name: name,
    detailed_description: description,
  }));
  await db`
    insert into agent_types ${db(rows)}
    on conflict (key) do update set
      agent_type_name = excluded.agent_type_name, detailed_description = excluded.detailed_description`;
}
