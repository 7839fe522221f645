import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { Counter, DateTime, Key, oneOf, PathKey, text } from './values.ts';

export const longestURL = 2_000;

export const PostbackURL = Type.String({
  maxLength: longestURL,
  examples: ['https://example.org/outcomes?token=…'],
  description:
    'An http or https URL to which the outcome of the event is sent by POST (Standard Webhooks). ' +
    'Its query part is never shown again. An address that is not public is refused, unless the operator allows it.',
});

/** The type of the message, by the final state of the event. */
export const postbackTypes = {
  4: 'event.complete',
  5: 'event.error',
  6: 'event.timed_out',
  7: 'event.cancelled',
} as const;

export const Postback = Type.Object(
  {
    key: Type.Optional(Key),
    eventID: Type.Optional(Key),
    url: Type.Optional(Type.String({ description: 'Without its query part.' })),
    state: Type.Optional(
      Type.Unsafe<'waiting' | 'delivered' | 'failed'>({
        ...oneOf('waiting', 'delivered', 'failed'),
        description:
          '`waiting` for its next attempt, `delivered` when the receiver responded with 2xx, `failed` when it responded with 410, ' +
          'may not be called, or did not accept it for a day.',
      }),
    ),
    attempts: Type.Optional(Counter),
    lastStatus: Type.Optional(
      Type.Integer({ ...Counter, description: 'The last status of the receiver.', examples: [200] }),
    ),
    lastError: Type.Optional(
      Type.String({
        ...text(longestURL, 'the connection was refused'),
        description: 'Only admins are told whether a host name does not exist or has an address that is not public.',
      }),
    ),
    nextAttemptDate: Type.Optional(DateTime),
    deliveredDate: Type.Optional(DateTime),
    creationDate: Type.Optional(DateTime),
  },
  { title: 'Postback', description: 'The delivery of the outcome of an event to its postback URL.' },
);
export type Postback = Static<typeof Postback>;

export const listPostbacks = operation('event', {
  method: 'GET',
  path: '/v1/event/{eventID}/postbacks',
  summary: 'Read the deliveries of the outcome of an event',
  description: 'Empty until the event has ended, and for an event without a `postbackURL`.',
  access: 'caller',
  acts: [{ record: 'event', right: 'read', by: 'params.eventID' }],
  params: { eventID: PathKey },
  answer: Type.Array(Postback),
});
