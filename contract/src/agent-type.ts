import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { DateTime, filledText, Key, longTextLength, modifiedFields, shortTextLength, text } from './values.ts';

/** The built-in kinds of agents, in the order of their keys. Those that an admin adds have keys from 1,000. */
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
  description: `The name of an agent type, in any case: ${agentTypes.map(({ name }) => name).join(', ')}, or one that an admin added.`,
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

const CreateAgentType = Type.Object(
  {
    agentTypeName: Type.String({
      ...filledText(shortTextLength, 'Weather'),
      pattern: '^[A-Za-z][A-Za-z0-9_ -]*$',
      description: 'letters, digits, `_`, `-` and spaces, beginning with a letter; no other type has it, in any case',
    }),
    detailedDescription: Type.Optional(text(longTextLength, 'Reads the weather station')),
  },
  { title: 'CreateAgentType' },
);
export type CreateAgentType = Static<typeof CreateAgentType>;

export const createAgentType = operation('agenttype', {
  method: 'POST',
  path: '/v1/agenttype',
  repetition: 'differs',
  summary: 'Add an agent type of your own',
  description: 'If the name exists, ignoring case: 409.',
  access: 'admin',
  acts: [],
  body: CreateAgentType,
  answer: AgentType,
  errors: [409],
  trail: 'A type is a name for agents. It changes no recording.',
});

export const listAgentTypes = operation('agenttype', {
  method: 'GET',
  path: '/v1/agenttype/list',
  summary: 'List the agent types',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [],
  answer: Type.Array(AgentType),
});
