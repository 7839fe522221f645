import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { DateTime, Key, longTextLength, modifiedFields, shortTextLength, text } from './values.ts';

/** The kinds of agents, in the order of their keys. Read-only for everyone. */
export const agentTypes = [
  { name: 'Device', description: 'Maintains the device itself' },
  { name: 'Audio', description: 'Records sound and announces clips' },
  { name: 'Transfer', description: 'Uploads files' },
  { name: 'Transcoding', description: 'Joins and converts clips' },
  { name: 'Caption', description: 'Transcribes speech and labels sounds' },
] as const;

export const AgentTypeName = Type.String({
  minLength: 1,
  maxLength: shortTextLength,
  examples: ['Audio'],
  description: `The name of an agent type, in any case: ${agentTypes.map(({ name }) => name).join(', ')}.`,
});

export const AgentType = Type.Object(
  {
    key: Type.Optional(Key),
    agentTypeName: Type.Optional(text(shortTextLength)),
    detailedDescription: Type.Optional(text(longTextLength)),
    creationDate: Type.Optional(DateTime),
    ...modifiedFields,
  },
  { title: 'AgentType' },
);
export type AgentType = Static<typeof AgentType>;

export const listAgentTypes = operation('agenttype', {
  method: 'GET',
  path: '/v1/agenttype/list',
  summary: 'List the agent types',
  access: 'agent',
  acts: [],
  answer: Type.Array(AgentType),
});
