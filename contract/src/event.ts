import type { Static } from 'typebox';
import { Type } from 'typebox';
import { DateAndCountFilter } from './agent.ts';
import { eventStatuses } from './event-status.ts';
import { EventTypeName } from './event-type.ts';
import { operation, readsOnly } from './operation.ts';
import { onceHeaders } from './repetition.ts';
import { PostbackURL } from './postback.ts';
import { Counter, DateTime, Key, oneOf, PathKey, shortTextLength, text, WholeNumber } from './values.ts';

const parametersLength = 262_144;
export const resultLength = 65_536;

export const EventParameters = Type.String({
  maxLength: parametersLength,
  examples: ['{}'],
  description: 'The text of a JSON object; empty means `{}`.',
});
export const Percent = Type.Number({ minimum: 0, maximum: 100, examples: [40] });
const Priority = Type.Integer({
  ...WholeNumber,
  examples: [0],
  description: 'Higher priorities are taken first; 0 when missing.',
});
const MaxAttempts = Type.Integer({
  minimum: 0,
  maximum: 1_000,
  examples: [3],
  description: 'How many attempts there are before an error is final; missing or 0: one.',
});
const ExpirationEpoch = Type.Integer({
  ...Counter,
  description: 'Seconds since 1970 after which the event times out if it has not ended; missing or 0: never.',
});
export const TagString = text(shortTextLength, 'night shift');
export const TagNumber = Type.Integer({ ...WholeNumber, examples: [7] });

const fields = {
  key: Type.Optional(Key),
  deviceID: Type.Optional(Key),
  agentTypeID: Type.Optional(Key),
  agentID: Type.Optional(Key),
  eventTypeID: Type.Optional(Key),
  serverEvent: Type.Optional(
    Type.Integer({ ...Key, description: "1: the platform's own worker does it; 0: an agent on the device." }),
  ),
  eventStatus: Type.Optional(
    Type.Integer({ ...Key, description: eventStatuses.map(({ key, name }) => `${key} ${name}`).join(', ') }),
  ),
  eventParameters: Type.Optional(Type.String({ description: 'The text of a JSON object.' })),
  processID: Type.Optional(Counter),
  result: Type.Optional(text(resultLength)),
  percentComplete: Type.Optional(Percent),
  priority: Type.Optional(WholeNumber),
  expirationEpoch: Type.Optional(Counter),
  attemptNumber: Type.Optional(Counter),
  maxAttempts: Type.Optional(Counter),
  tagString: Type.Optional(text(shortTextLength)),
  tagNumber: Type.Optional(WholeNumber),
  creationDate: Type.Optional(DateTime),
};

export const Event = Type.Object(fields, { title: 'Event', description: 'Work for a device, and its progress.' });
export type Event = Static<typeof Event>;

export const EventWithNames = Type.Object(
  {
    ...fields,
    deviceName: Type.Optional(text(shortTextLength)),
    eventType: Type.Optional(text(shortTextLength)),
    agentType: Type.Optional(text(shortTextLength)),
    eventStatusName: Type.Optional(text(shortTextLength)),
    eventStatusDescription: Type.Optional(text(shortTextLength)),
    agentIndex: Type.Optional(Type.Integer({ ...Counter, description: 'Of the agent that took it.' })),
    version: Type.Optional(Type.String({ ...text(shortTextLength), description: 'Of the agent that took it.' })),
  },
  { title: 'EventWithNames' },
);

/** What is sent, whichever device gets it. */
export const eventContentFields = {
  eventType: Type.Optional(EventTypeName),
  eventTypeID: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Instead of `eventType`.' }),
  ),
  agentType: Type.Optional(
    Type.String({
      maxLength: shortTextLength,
      description: 'Optional; if given, it must be the agent type of the event type.',
    }),
  ),
  agentTypeID: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Likewise.' })),
  eventParameters: Type.Optional(EventParameters),
  priority: Type.Optional(Priority),
  expirationEpoch: Type.Optional(ExpirationEpoch),
  maxAttempts: Type.Optional(MaxAttempts),
  tagString: Type.Optional(TagString),
  tagNumber: Type.Optional(TagNumber),
};

const CreateEvent = Type.Object(
  {
    deviceID: Type.Optional(Key),
    deviceSerial: Type.Optional(text(shortTextLength)),
    ...eventContentFields,
    postbackURL: Type.Optional(PostbackURL),
  },
  { title: 'CreateEvent', description: 'The device by `deviceID` or `deviceSerial`; the type by name or id.' },
);
export type CreateEvent = Static<typeof CreateEvent>;

const EventTransition = Type.Object(
  {
    eventID: Type.Optional(Key),
    date: Type.Optional(DateTime),
    fromStatus: Type.Optional(Key),
    toStatus: Type.Optional(Key),
    cause: Type.Optional(Type.String({ description: 'The cause of the change, such as `taken` or `lease lost`.' })),
    attemptNumber: Type.Optional(Counter),
    userID: Type.Optional(
      Type.Integer({ ...Key, description: 'The person whose credential was used; missing: the platform.' }),
    ),
    agentID: Type.Optional(Key),
    result: Type.Optional(text(resultLength)),
  },
  { title: 'EventTransition' },
);
export type EventTransition = Static<typeof EventTransition>;

const EventStatus = Type.Object(
  { key: Type.Optional(Key), eventStatusName: Type.Optional(text(shortTextLength)) },
  { title: 'EventStatus' },
);

const eventStates = ['open', 'failed', 'ended'] as const;
export type EventState = (typeof eventStates)[number];

export const EventStateFilter = Type.Unsafe<EventState>({
  ...oneOf(...eventStates),
  description:
    '`open`: pending, checked out or processing. `failed`: error or timed out. `ended`: in any way. Missing: all.',
});

const EventFilter = Type.Object(
  {
    ...DateAndCountFilter.properties,
    eventState: Type.Optional(EventStateFilter),
  },
  { title: 'EventFilter', description: 'Dates are half-open: start ≤ t < end.' },
);
export type EventFilter = Static<typeof EventFilter>;

const params = { eventID: PathKey };

export const createEvent = operation('event', {
  method: 'POST',
  path: '/v1/event',
  headers: onceHeaders,
  summary: 'Enqueue an event for a device',
  description: 'After the response, the event is stored durably.',
  access: 'caller',
  acts: [{ record: 'device', right: 'write', by: 'body.deviceID' }],
  body: CreateEvent,
  answer: Event,
  trail: ['command-sent'],
});

export const getEvent = operation('event', {
  method: 'GET',
  path: '/v1/event/{eventID}',
  summary: 'Read an event',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'event', right: 'read', by: 'params.eventID' }],
  params,
  answer: Event,
});

export const listEvents = operation('event', {
  method: 'POST',
  path: '/v1/event/list',
  summary: 'List events by their creation',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'device', right: 'read', by: 'body.deviceID' }],
  lists: 'event',
  body: EventFilter,
  answer: Type.Array(EventWithNames),
  trail: readsOnly,
});

export const cancelEvent = operation('event', {
  method: 'DELETE',
  path: '/v1/event/{eventID}',
  summary: 'Cancel an event',
  description:
    'The agent that holds it is informed at its next report. If the event has ended: 409. An export may also be ' +
    'cancelled by the person who asked for it, with the right to read.',
  access: 'caller',
  acts: [{ record: 'event', right: 'write', by: 'params.eventID' }],
  params,
  errors: [409],
  trail: 'The history of the event names who cancelled it.',
});

export const clearPendingEvents = operation('event', {
  method: 'DELETE',
  path: '/v1/event/list/pending/{deviceID}',
  summary: 'Cancel the pending events of a device',
  description:
    'Cancels the events that wait for an agent of the device, and returns them. Events that an agent has taken, and ' +
    'work of the platform itself, are not changed.',
  access: 'caller',
  acts: [{ record: 'device', right: 'write', by: 'params.deviceID' }],
  params: { deviceID: PathKey },
  answer: Type.Array(EventWithNames),
  trail: 'The history of each event names who cancelled it.',
});

export const endEventProcess = operation('event', {
  method: 'POST',
  path: '/v1/event/endprocess/{eventID}',
  headers: onceHeaders,
  summary: 'End the process that works on an event',
  description:
    'Enqueues an `End_process` event for the device of the event, with `{"eventID": …, "processID": …}` as parameters, ' +
    'and returns it. The event itself ends when its agent reports, or when you cancel it. ' +
    'If no agent of a device holds the event: 409.',
  access: 'caller',
  acts: [{ record: 'event', right: 'write', by: 'params.eventID' }],
  params,
  answer: Event,
  errors: [409],
  trail: 'The history of the event names who sent it. It is neither a restart nor an update of the device.',
});

export const listEventHistory = operation('event', {
  method: 'GET',
  path: '/v1/event/{eventID}/history',
  summary: 'Read the history of an event, oldest first',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'event', right: 'read', by: 'params.eventID' }],
  params,
  answer: Type.Array(EventTransition),
});

export const listEventStatuses = operation('event', {
  method: 'GET',
  path: '/v1/eventstatus/list',
  summary: 'List the states of an event',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [],
  answer: Type.Array(EventStatus),
});
