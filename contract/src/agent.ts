import type { Static } from 'typebox';
import { Type } from 'typebox';
import { AgentTypeName } from './agent-type.ts';
import type { MediaType } from './operation.ts';
import { operation, readsOnly } from './operation.ts';
import { Patch } from './patch.ts';
import {
  clearable,
  Count,
  Counter,
  DateTime,
  Key,
  longTextLength,
  modifiedFields,
  Order,
  PathKey,
  shortTextLength,
  text,
} from './values.ts';

const recentOutputLength = 65_536;

const fields = {
  key: Type.Optional(Key),
  userID: Type.Optional(Key),
  deviceID: Type.Optional(Key),
  agentTypeID: Type.Optional(Key),
  agentIndex: Type.Optional(Counter),
  currentEventID: Type.Optional(Key),
  processID: Type.Optional(Counter),
  version: Type.Optional(text(shortTextLength)),
  agentName: Type.Optional(text(shortTextLength)),
  agentDescription: Type.Optional(text(longTextLength)),
  recentOutput: Type.Optional(text(recentOutputLength)),
  lastHeardFromDate: Type.Optional(DateTime),
  creationDate: Type.Optional(DateTime),
  ...modifiedFields,
};

export const Agent = Type.Object(fields, {
  title: 'Agent',
  description: 'A program on a device, and its current state.',
});
export type Agent = Static<typeof Agent>;

const AgentWithNames = Type.Object(
  {
    ...fields,
    deviceName: Type.Optional(text(shortTextLength)),
    agentType: Type.Optional(text(shortTextLength)),
  },
  { title: 'AgentWithNames' },
);

export const RegisterAgent = Type.Object(
  {
    deviceName: Type.Optional(text(shortTextLength)),
    deviceSerial: Type.Optional(text(shortTextLength, 'recorder-17')),
    agentType: AgentTypeName,
    agentVersion: Type.Optional(text(shortTextLength, '1.4.0')),
    agentIndex: Type.Optional(Counter),
    processID: Type.Optional(Type.Integer({ ...Counter, examples: [4711] })),
  },
  { title: 'RegisterAgent' },
);

/** The fields that the agent itself reports; the platform sets the others. */
export const agentChanges = {
  currentEventID: clearable(Key),
  processID: clearable(Counter),
  agentName: clearable(text(shortTextLength, 'Recorder')),
  agentDescription: clearable(text(longTextLength, 'North gate')),
  recentOutput: clearable(text(recentOutputLength, 'recording')),
};

export const AgentUpdate = Type.Partial(Type.Object(agentChanges), { title: 'AgentUpdate' });
export type AgentUpdate = Static<typeof AgentUpdate>;

export const patchableAgentFields = [
  'agentDescription',
  'recentOutput',
  'processID',
  'currentEventID',
] as const satisfies readonly (keyof AgentUpdate)[];

export const DateAndCountFilter = Type.Object(
  {
    deviceID: Type.Optional(
      Type.Integer({ ...Key, description: 'One device; missing or 0: every device that you may read.' }),
    ),
    startDate: Type.Optional(DateTime),
    endDate: Type.Optional(Type.String({ ...DateTime, examples: ['2036-11-15T01:10:00.000Z'] })),
    count: Type.Optional(Count),
    order: Type.Optional(Order),
  },
  { title: 'DateAndCountFilter', description: 'Dates are half-open: start ≤ t < end.' },
);

const agentMedia: readonly MediaType[] = ['application/json', 'text/json', 'text/plain'];
const params = { agentID: PathKey };

export const registerAgent = operation('agent', {
  method: 'POST',
  path: '/v1/agent',
  repetition: 'harmless',
  summary: 'Register an agent when it starts',
  description:
    'Creates the agent, or updates the one that this device has of this type and index. ' +
    'The device is found by its serial, else by its name; a name that no device has is also tried as a serial.',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'device', right: 'write', by: 'body.deviceSerial', hidden: 400, denied: 400 }],
  body: RegisterAgent,
  answer: Agent,
  media: agentMedia,
  textErrors: true,
  trail: 'An agent reports about itself.',
});

export const getAgent = operation('agent', {
  method: 'GET',
  path: '/v1/agent/{agentID}',
  summary: 'Read an agent',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'agent', right: 'read', by: 'params.agentID' }],
  params,
  answer: Agent,
  media: agentMedia,
});

export const updateAgent = operation('agent', {
  method: 'PUT',
  path: '/v1/agent/{agentID}',
  summary: 'Report the state of an agent',
  description:
    'Sets the fields that are present; `null` clears a field, missing fields stay unchanged, other fields are ignored. ' +
    'Counts as contact with the agent.',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'agent', right: 'write', by: 'params.agentID' }],
  params,
  body: AgentUpdate,
  trail: 'An agent reports about itself.',
});

export const patchAgent = operation('agent', {
  method: 'PATCH',
  path: '/v1/agent/{agentID}',
  summary: 'Patch an agent',
  description: `Only ${patchableAgentFields.join(', ')} may be patched.`,
  access: 'agent',
  writeOnlyKeys: 'sets',
  acts: [{ record: 'agent', right: 'write', by: 'params.agentID' }],
  params,
  body: Patch,
  answer: Agent,
  media: agentMedia,
  errors: [409],
  trail: 'An agent reports about itself.',
});

export const deleteAgent = operation('agent', {
  method: 'DELETE',
  path: '/v1/agent/{agentID}',
  summary: 'Remove an agent',
  access: 'caller',
  acts: [{ record: 'agent', right: 'write', by: 'params.agentID' }],
  params,
  trail: 'An agent is a state that its program reports. It registers again when it runs.',
});

export const listAgents = operation('agent', {
  method: 'POST',
  path: '/v1/agent/list',
  summary: 'List agents by the time of their last contact',
  description: 'An agent without contact is sorted by its creation.',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'device', right: 'read', by: 'body.deviceID' }],
  lists: 'agent',
  body: DateAndCountFilter,
  answer: Type.Array(AgentWithNames),
  media: agentMedia,
  trail: readsOnly,
});
