import type { Static } from 'typebox';
import { Type } from 'typebox';
import { kindsWithoutChanges } from './channel-kinds.ts';
import type { LiveChangeName } from './live-change.ts';
import { liveChangeNames } from './live-change.ts';
import { operation } from './operation.ts';
import { onceHeaders } from './repetition.ts';
import { DateTime, Key, longestIdList, oneOf, PathKey } from './values.ts';

/** Channels that get the changes that a person chose, without a rule. */

export const mostSubscriptions = 50;
/** More changes than this are waiting: they come together, in messages of at most `mostInMessage`. */
export const mostSingle = 20;
export const mostInMessage = 100;

const keys = (description: string) =>
  Type.Optional(Type.Array(Key, { maxItems: longestIdList, examples: [[]], description }));

const SubscriptionWhere = Type.Object(
  {
    deviceIDs: keys('These devices.'),
    collectionIDs: keys('The devices of these collections.'),
  },
  {
    title: 'SubscriptionWhere',
    description:
      'Both lists together; one that is missing or empty is no condition. Missing: everything that you may read. With it, ' +
      'changes that belong to no device, such as those of collections, are not sent.',
  },
);
export type SubscriptionWhere = Static<typeof SubscriptionWhere>;

const Changes = Type.Array(Type.Unsafe<LiveChangeName>({ ...oneOf(...liveChangeNames), examples: ['device.online'] }), {
  minItems: 1,
  maxItems: liveChangeNames.length,
  examples: [['event.ended', 'device.online', 'device.offline']],
  description: 'Names of changes, as `GET /v1/live?changes=` takes them.',
});

const includesWords = Type.Boolean({
  examples: [false],
  description: 'Whether changes of captions have their words, where these may leave. Missing: false.',
});

const NewSubscription = Type.Object(
  {
    channelID: Type.Integer({ ...Key, description: 'A channel of yours.' }),
    changes: Changes,
    where: Type.Optional(SubscriptionWhere),
    includesWords: Type.Optional(includesWords),
  },
  { title: 'NewSubscription' },
);
export type NewSubscription = Static<typeof NewSubscription>;

export const Subscription = Type.Object(
  {
    key: Type.Optional(Key),
    userID: Type.Optional(Type.Integer({ ...Key, description: 'Its owner, whose rights decide what is sent.' })),
    channelID: Type.Optional(Key),
    changes: Type.Array(Type.Unsafe<LiveChangeName>(oneOf(...liveChangeNames))),
    where: Type.Optional(SubscriptionWhere),
    includesWords: Type.Optional(includesWords),
    lastSentDate: Type.Optional(DateTime),
    waitingSince: Type.Optional(
      Type.String({ ...DateTime, description: 'Since when the oldest message waits; missing: none does.' }),
    ),
    creationDate: Type.Optional(DateTime),
    createdBy: Type.Optional(Key),
  },
  { title: 'Subscription', description: 'What a channel is told without a rule.' },
);
export type Subscription = Static<typeof Subscription>;

const params = { subscriptionID: PathKey };
const owns = [{ record: 'subscription', right: 'own', by: 'params.subscriptionID' }] as const;

export const createSubscription = operation('subscription', {
  method: 'POST',
  path: '/v1/subscription',
  summary: 'Send changes to a channel',
  description: [
    'From now on, the channel gets every change with one of these names that you may see when it is sent, in the order ' +
      'of the live stream. A message is `{ type, timestamp, data }`: the name of the change, when it happened, and ' +
      '`{ subscriptionID, change, key, deviceID, … }` with the `outcome` that the name tells, the `eventStatus` and ' +
      '`agentID` of an event, whether a device is `online`, and the `record`. Outside of the platform the record is ' +
      'there only if its device may be named (`PUT /v1/device/{deviceID}/disclosure`), and its words only with ' +
      '`includesWords`.',
    `If more than ${mostSingle} are waiting, they come together: the type is \`changes\`, and \`data\` has a list of such ` +
      'messages. What waits while the channel or the platform is away is sent afterwards. If changes are no longer kept ' +
      '(`EARSHOT_CHANGE_HOURS`), one message of the type `reset` says that some were missed: read again what you need.',
    `Channels of the kinds ${kindsWithoutChanges.join(' and ')} take alerts only (400). If you have ` +
      `${mostSubscriptions} already: 409.`,
  ].join('\n\n'),
  access: 'caller',
  acts: [{ record: 'channel', right: 'own', by: 'body.channelID' }],
  headers: onceHeaders,
  body: NewSubscription,
  answer: Subscription,
  errors: [409],
  trail: ['subscription-created'],
});

export const listSubscriptions = operation('subscription', {
  method: 'GET',
  path: '/v1/subscription/list',
  summary: 'List your subscriptions, newest first',
  description: 'An admin gets those of everybody, at most 1,000.',
  access: 'caller',
  acts: [],
  lists: 'subscription',
  answer: Type.Array(Subscription),
});

export const getSubscription = operation('subscription', {
  method: 'GET',
  path: '/v1/subscription/{subscriptionID}',
  summary: 'Read a subscription',
  access: 'caller',
  acts: owns,
  params,
  answer: Subscription,
});

export const deleteSubscription = operation('subscription', {
  method: 'DELETE',
  path: '/v1/subscription/{subscriptionID}',
  summary: 'Delete a subscription',
  description: 'What waits for it is not sent.',
  access: 'caller',
  acts: owns,
  params,
  trail: ['subscription-removed'],
});
