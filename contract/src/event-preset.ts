import type { Static } from 'typebox';
import { Type } from 'typebox';
import { Event, EventParameters } from './event.ts';
import { EventTypeName } from './event-type.ts';
import { operation } from './operation.ts';
import { onceHeaders } from './repetition.ts';
import { Counter, DateTime, filledText, Key, PathKey, shortTextLength, text, WholeNumber } from './values.ts';

export const EventPreset = Type.Object(
  {
    key: Type.Optional(Key),
    eventPresetName: Type.Optional(text(shortTextLength)),
    deviceID: Type.Optional(Key),
    deviceGroupID: Type.Optional(Key),
    agentTypeID: Type.Optional(Key),
    agentID: Type.Optional(Key),
    eventTypeID: Type.Optional(Key),
    eventStatus: Type.Optional(Key),
    eventParameters: Type.Optional(Type.String()),
    processID: Type.Optional(Counter),
    result: Type.Optional(Type.String()),
    percentComplete: Type.Optional(Type.Number()),
    priority: Type.Optional(WholeNumber),
    expirationEpoch: Type.Optional(Counter),
    attemptNumber: Type.Optional(Counter),
    maxAttempts: Type.Optional(Counter),
    tagString: Type.Optional(text(shortTextLength)),
    tagNumber: Type.Optional(WholeNumber),
    creationDate: Type.Optional(DateTime),
  },
  { title: 'EventPreset', description: 'A template of an event, for a device or for a group of devices.' },
);
export type EventPreset = Static<typeof EventPreset>;

const presetFields = {
  eventPresetName: Type.Optional(filledText(shortTextLength, 'Restart at night')),
  agentType: Type.Optional(
    Type.String({
      maxLength: shortTextLength,
      description: 'Optional; if given, it must be the agent type of the event type.',
    }),
  ),
  eventParameters: Type.Optional(EventParameters),
  priority: Type.Optional(Type.Integer({ ...WholeNumber, examples: [0] })),
  maxAttempts: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000, examples: [3] })),
  expirationEpoch: Type.Optional(Counter),
};

const CreateEventPreset = Type.Object(
  {
    ...presetFields,
    deviceID: Type.Optional(Key),
    deviceGroupID: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: "A collection's key, instead of `deviceID`.",
      }),
    ),
    eventType: Type.Optional(Type.String({ ...EventTypeName, minLength: 0 })),
  },
  {
    title: 'CreateEventPreset',
    description:
      'For a device or for a group, not for both. What is missing may be set later, or, for the devices, named when ' +
      'the preset is run.',
  },
);
export type CreateEventPreset = Static<typeof CreateEventPreset>;

const EventPresetUpdate = Type.Object(
  { ...presetFields, eventType: Type.Optional(EventTypeName) },
  { title: 'EventPresetUpdate' },
);
export type EventPresetUpdate = Static<typeof EventPresetUpdate>;

const RunEventPreset = Type.Object(
  {
    data: Type.Optional(
      Type.Array(Key, {
        maxItems: 1_000,
        description: 'Only these devices of the group; for a preset without device and group, these devices.',
        examples: [[]],
      }),
    ),
  },
  { title: 'RunEventPreset' },
);

const params = { eventPresetID: PathKey };

export const createEventPreset = operation('eventpreset', {
  method: 'POST',
  path: '/v1/eventpreset',
  headers: onceHeaders,
  summary: 'Store a template of an event',
  access: 'caller',
  acts: [{ record: 'device', right: 'write', by: 'body.deviceID' }],
  body: CreateEventPreset,
  answer: EventPreset,
  trail: 'A preset is a request that is sent later. The commands that it sends are recorded.',
});

export const listEventPresets = operation('eventpreset', {
  method: 'GET',
  path: '/v1/eventpreset/list',
  summary: 'List the presets you may read',
  description: 'Of every device and collection that you may read, newest first; at most 1,000.',
  access: 'caller',
  acts: [],
  lists: 'eventpreset',
  answer: Type.Array(EventPreset),
});

export const listPresetsOfDevice = operation('eventpreset', {
  method: 'GET',
  path: '/v1/eventpreset/list/device/{deviceID}',
  summary: 'List the presets of a device',
  description: 'Its own presets, and those of every collection that contains it and that you may read.',
  access: 'caller',
  acts: [{ record: 'device', right: 'read', by: 'params.deviceID' }],
  lists: 'eventpreset',
  params: { deviceID: PathKey },
  answer: Type.Array(EventPreset),
});

export const getEventPreset = operation('eventpreset', {
  method: 'GET',
  path: '/v1/eventpreset/{eventPresetID}',
  summary: 'Read a preset',
  access: 'caller',
  acts: [{ record: 'eventpreset', right: 'read', by: 'params.eventPresetID' }],
  params,
  answer: EventPreset,
});

export const updateEventPreset = operation('eventpreset', {
  method: 'PUT',
  path: '/v1/eventpreset/{eventPresetID}',
  summary: 'Change a preset',
  description: 'Sets the fields that are present. The device or group of a preset cannot be changed.',
  access: 'caller',
  acts: [{ record: 'eventpreset', right: 'write', by: 'params.eventPresetID' }],
  params,
  body: EventPresetUpdate,
  trail: 'A preset is a request that is sent later. The commands that it sends are recorded.',
});

export const deleteEventPreset = operation('eventpreset', {
  method: 'DELETE',
  path: '/v1/eventpreset/{eventPresetID}',
  summary: 'Remove a preset',
  access: 'caller',
  acts: [{ record: 'eventpreset', right: 'write', by: 'params.eventPresetID' }],
  params,
  trail: 'A preset is a request that is sent later. The commands that it sends are recorded.',
});

export const runEventPreset = operation('eventpreset', {
  method: 'POST',
  path: '/v1/eventpreset/run/{eventPresetID}',
  headers: onceHeaders,
  summary: 'Enqueue a preset to its device, or to each device of its group',
  description:
    'All or none. Requires write access to every device concerned. A preset that has neither a device nor a group runs ' +
    'on the devices in `data`. If the preset has no event type, or no device to run on: 409.',
  access: 'caller',
  acts: [{ record: 'eventpreset', right: 'write', by: 'params.eventPresetID' }],
  params,
  body: RunEventPreset,
  bodyOptional: true,
  answer: Type.Array(Event),
  errors: [409],
  trail: ['command-sent'],
});
