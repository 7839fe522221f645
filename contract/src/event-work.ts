import type { Static } from 'typebox';
import { Type } from 'typebox';
import { AgentTypeName } from './agent-type.ts';
import { Event, EventWithNames, Percent, resultLength, TagNumber, TagString } from './event.ts';
import { operation } from './operation.ts';
import { Counter, PathKey, shortTextLength, text } from './values.ts';

/** The operations of agents on events: look, wait, take and report. */

const DeviceToPoll = Type.Object(
  {
    deviceName: Type.Optional(text(shortTextLength)),
    deviceSerial: Type.Optional(text(shortTextLength, 'recorder-17')),
    agentType: Type.Optional(
      Type.String({
        maxLength: shortTextLength,
        description:
          'When given, only work for agents of this type, and the poll counts as contact with that agent. ' +
          'The poll of a caller who may only read the device is no contact.',
      }),
    ),
    agentIndex: Type.Optional(Counter),
  },
  { title: 'DeviceToPoll', description: 'A serial is accepted as a name.' },
);

const DequeueEvent = Type.Object(
  {
    deviceName: Type.Optional(text(shortTextLength)),
    deviceSerial: Type.Optional(text(shortTextLength, 'recorder-17')),
    agentType: AgentTypeName,
    agentIndex: Type.Optional(Counter),
    processID: Type.Optional(Type.Integer({ ...Counter, examples: [4711] })),
  },
  { title: 'DequeueEvent' },
);

const EventReport = Type.Object(
  {
    eventStatus: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: '3 while it is processed, 4 when complete, 5 for an error.',
        examples: [3],
      }),
    ),
    result: Type.Optional(text(resultLength, 'restarting')),
    percentComplete: Type.Optional(Percent),
    processID: Type.Optional(Counter),
    tagString: Type.Optional(TagString),
    tagNumber: Type.Optional(TagNumber),
  },
  { title: 'EventReport' },
);
export type EventReport = Static<typeof EventReport>;

/** A client's id for one take, so that a lost response does no harm. */
const takeHeaders = {
  'x-take-id': Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}$',
      description: 'a UUID of your own: the same one takes the same event again, and reports under another are refused',
    }),
  ),
};

const params = { eventID: PathKey };

export const listPendingEvents = operation('event', {
  method: 'POST',
  path: '/v1/event/list/pending',
  repetition: 'harmless',
  summary: 'Read the next pending event of a device without taking it',
  description: 'A list with one event, or an empty list.',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'device', right: 'read', by: 'body.deviceSerial' }],
  body: DeviceToPoll,
  answer: Type.Array(EventWithNames),
  errors: [409],
  trail: 'An agent reports about itself.',
});

const longPoll = {
  method: 'POST',
  repetition: 'harmless',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'device', right: 'read', by: 'body.deviceSerial' }],
  body: DeviceToPoll,
  answer: Type.Array(EventWithNames),
  errors: [409],
} as const;

export const longPollEvents = operation('event', {
  ...longPoll,
  path: '/v1/event/list/pending/longpoll',
  summary: 'Wait for the next pending event of a device',
  description: 'Responds as soon as an event is pending, or after 55 s with an empty list.',
  trail: 'An agent reports about itself.',
});

export const longPollEventList = operation('event', {
  ...longPoll,
  path: '/v1/event/list/longpoll',
  summary: 'Wait for the next pending event of a device, under another path',
  description: 'The same as `POST /v1/event/list/pending/longpoll`.',
  trail: 'An agent reports about itself.',
});

export const dequeueEvent = operation('event', {
  method: 'POST',
  path: '/v1/event/dequeue',
  repetition: 'differs',
  summary: 'Take the next pending event for an agent',
  description: 'Highest priority first, then oldest. If there is none, the response is empty.',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'device', right: 'write', by: 'body.deviceSerial' }],
  headers: takeHeaders,
  body: DequeueEvent,
  answer: Event,
  answerOptional: true,
  errors: [409],
  trail: 'The history of the event names the agent that took it.',
});

export const reportEvent = operation('event', {
  method: 'PUT',
  path: '/v1/event/{eventID}',
  repetition: 'differs',
  summary: 'Report on an event that was taken',
  description:
    'Only the given fields are changed; `null` counts as not given. 409 if the event is no longer yours: it was cancelled, ended, or taken again. ' +
    'The same final report may be repeated.',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'event', right: 'write', by: 'params.eventID' }],
  params,
  headers: takeHeaders,
  body: EventReport,
  nullIsMissing: true,
  answer: Event,
  errors: [409],
  trail: 'The history of the event has what its agent reported.',
});

export const reportEventProgress = operation('event', {
  method: 'PATCH',
  path: '/v1/event/{eventID}/progress',
  summary: 'Report the progress of an event',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'event', right: 'write', by: 'params.eventID' }],
  params,
  headers: takeHeaders,
  body: Type.Object({ percentComplete: Percent }, { title: 'EventProgress' }),
  answer: Event,
  errors: [409],
  trail: 'The history of the event has what its agent reported.',
});
