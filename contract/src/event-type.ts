import type { Static } from 'typebox';
import { Type } from 'typebox';
import type { agentTypes } from './agent-type.ts';
import { AgentTypeName } from './agent-type.ts';
import { operation, readsOnly } from './operation.ts';
import {
  clearable,
  DateTime,
  filledText,
  Key,
  longTextLength,
  modifiedFields,
  shortTextLength,
  text,
} from './values.ts';

interface BuiltInEventType {
  readonly name: string;
  readonly agentType: (typeof agentTypes)[number]['name'];
  readonly description: string;
  /** Further names that clients in the field use, besides `<agent type>_<name>`. */
  readonly aliases?: readonly string[];
  /** The platform's own worker can process it: the server does not start without exactly one handler for it. */
  readonly platform?: true;
  /** Replaces the software of a device or restarts it: for its owner and admins. */
  readonly ownerOnly?: true;
}

/** The built-in types, in the order of their keys; types that an admin adds have keys from 1,001. */
export const builtInEventTypes = [
  { name: 'Start_recording', agentType: 'Audio', description: 'Start recording' },
  { name: 'Stop_recording', agentType: 'Audio', description: 'Stop recording' },
  { name: 'Upload_audio_clips', agentType: 'Transfer', description: 'Upload the sound of announced clips' },
  {
    name: 'Concatenate_audio_clips',
    agentType: 'Transcoding',
    description: 'Join clips of a range into one',
    platform: true,
  },
  {
    name: 'Caption_audio',
    agentType: 'Caption',
    description: 'Transcribe speech and label sounds',
    platform: true,
  },
  { name: 'Caption_words', agentType: 'Caption', description: 'Find the time of each word', platform: true },
  {
    name: 'Update_software',
    agentType: 'Device',
    description: 'Install a new version of the software',
    ownerOnly: true,
  },
  { name: 'Update_setting', agentType: 'Device', description: 'Change a setting of the device' },
  { name: 'End_process', agentType: 'Device', description: 'End a process on the device' },
  {
    name: 'Reboot',
    agentType: 'Device',
    description: 'Restart the device',
    aliases: ['Reboot_device'],
    ownerOnly: true,
  },
  { name: 'Restart_agents', agentType: 'Device', description: 'Restart the agents on the device' },
  { name: 'Report_diagnostics', agentType: 'Device', description: 'Collect and report diagnostics' },
  {
    name: 'Retry_recordings',
    agentType: 'Transfer',
    description: 'Try the recordings again that the platform refused',
  },
] as const satisfies readonly BuiltInEventType[];

/** The further names of a built-in type. */
export const builtInAliases = ({ name, agentType, aliases = [] }: BuiltInEventType): readonly string[] => [
  `${agentType}_${name}`,
  ...aliases,
];

/** The keys of the types that only the owner of a device and admins may send to it. */
export const ownerOnlyEventTypes: readonly number[] = builtInEventTypes.flatMap((type: BuiltInEventType, at) =>
  type.ownerOnly ? [at + 1] : [],
);

export const platformEventTypes: readonly string[] = builtInEventTypes
  .filter((type: BuiltInEventType) => type.platform)
  .map(({ name }) => name);

export const EventTypeName = Type.String({
  minLength: 1,
  maxLength: shortTextLength,
  examples: ['Restart_agents'],
  description: 'The name of an event type; case is ignored.',
});

export const EventType = Type.Object(
  {
    key: Type.Optional(Key),
    eventTypeName: Type.Optional(text(shortTextLength)),
    aliases: Type.Array(text(shortTextLength), { description: 'Further names of the type.' }),
    agentTypeID: Type.Optional(Key),
    agentType: Type.Optional(text(shortTextLength)),
    detailedDescription: Type.Optional(text(longTextLength)),
    creationDate: Type.Optional(DateTime),
    ...modifiedFields,
  },
  { title: 'EventType', description: 'A kind of work, and the type of agent that processes it.' },
);
export type EventType = Static<typeof EventType>;

const NewName = Type.String({
  ...filledText(shortTextLength, 'Calibrate_microphone'),
  pattern: '^[A-Za-z][A-Za-z0-9_]*$',
  description: 'letters, digits and `_`, beginning with a letter; no other type has it as a name or alias, in any case',
});
const mostAliases = 50;
const NewAliases = Type.Array(Type.String({ ...NewName, examples: ['Audio_calibrate'] }), {
  maxItems: mostAliases,
  examples: [[]],
  description: 'Further names, under which clients may name the type too.',
});

const CreateEventType = Type.Object(
  {
    eventTypeName: NewName,
    aliases: Type.Optional(NewAliases),
    agentType: AgentTypeName,
    detailedDescription: Type.Optional(clearable(text(longTextLength, 'Play a tone and set the level'))),
  },
  { title: 'CreateEventType' },
);
export type CreateEventType = Static<typeof CreateEventType>;

const EventTypeUpdate = Type.Object({ eventType: EventTypeName, aliases: NewAliases }, { title: 'EventTypeUpdate' });
export type EventTypeUpdate = Static<typeof EventTypeUpdate>;

export const listEventTypes = operation('eventtype', {
  method: 'GET',
  path: '/v1/eventtype/list',
  summary: 'List the event types',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [],
  answer: Type.Array(EventType),
});

export const listEventTypesOfAgent = operation('eventtype', {
  method: 'POST',
  path: '/v1/eventtype/list',
  summary: 'List the event types of an agent type',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [],
  body: Type.Object(
    {
      agentType: Type.Optional(Type.String({ ...AgentTypeName, minLength: 0, description: 'Missing or empty: all.' })),
    },
    { title: 'EventTypeFilter' },
  ),
  answer: Type.Array(EventType),
  trail: readsOnly,
});

export const updateEventType = operation('eventtype', {
  method: 'PUT',
  path: '/v1/eventtype',
  summary: 'Change the aliases of an event type',
  description:
    '`aliases` replaces the former ones; those that are built in stay. If another type has one of the names, ignoring ' +
    'case: 409.',
  access: 'admin',
  acts: [],
  body: EventTypeUpdate,
  answer: EventType,
  errors: [409],
  trail: 'A type is a name for work. The events are recorded.',
});

export const createEventType = operation('eventtype', {
  method: 'POST',
  path: '/v1/eventtype',
  repetition: 'differs',
  summary: 'Add an event type of your own',
  description: 'If the name exists, ignoring case: 409.',
  access: 'admin',
  acts: [],
  body: CreateEventType,
  answer: EventType,
  errors: [409],
  trail: 'A type is a name for work. The events are recorded.',
});
