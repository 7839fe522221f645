import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation, readsOnly } from './operation.ts';
import { Count, Counter, Cursor, DateTime, Key, oneOf, pageCursors } from './values.ts';

/** What was sent to channels. A delivery holds no words: texts are read from the clip when it is sent. */

/**
 * - alert: a rule found something
 * - resolved: none of the matches of that alert holds any more, or a person dealt with it
 * - limit: a rule acted on as many alerts of an hour as it may
 * - digest: how many messages were held back by the limit of an hour
 * - test: somebody pressed the button
 * - change: changes of a subscription, or that some were missed
 */
export const deliveryKinds = ['alert', 'resolved', 'limit', 'digest', 'test', 'change'] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

/** Messages of each kind are posted with this `type`; those of changes with the name of the change. */
export const messageTypes: Readonly<Record<Exclude<DeliveryKind, 'change'>, string>> = {
  alert: 'alert.told',
  resolved: 'alert.resolved',
  limit: 'rule.limited',
  digest: 'channel.digest',
  test: 'channel.test',
};

export const deliveryStates = ['waiting', 'delivered', 'failed', 'dropped', 'digested'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

const Delivery = Type.Object(
  {
    key: Type.Optional(Key),
    messageID: Type.Optional(
      Type.String({ description: 'The same in every attempt, so that a receiver recognises a repetition.' }),
    ),
    channelID: Type.Optional(Key),
    kind: Type.Optional(oneOf(...deliveryKinds)),
    isPersonal: Type.Optional(
      Type.Boolean({ description: 'True: you chose the channel for the severity. False: a rule names it.' }),
    ),
    alertID: Type.Optional(Key),
    ruleID: Type.Optional(Key),
    subscriptionID: Type.Optional(Key),
    state: Type.Optional(
      Type.Unsafe<DeliveryState>({
        ...oneOf(...deliveryStates),
        description:
          '`failed`: it was refused for good. `dropped`: it did not matter any more. `digested`: it is counted in a digest. ' +
          '`reason` says why.',
      }),
    ),
    attempts: Type.Optional(Counter),
    lastStatus: Type.Optional(Type.Integer({ ...Counter, description: 'The status that was answered last.' })),
    reason: Type.Optional(Type.String({ description: 'Why the last attempt failed, or why there is none.' })),
    nextAttemptDate: Type.Optional(Type.String({ ...DateTime, description: 'Set while it waits.' })),
    endDate: Type.Optional(Type.String({ ...DateTime, description: 'When it was delivered or given up.' })),
    creationDate: Type.Optional(DateTime),
  },
  { title: 'Delivery', description: 'A message to a channel, without its words.' },
);
export type Delivery = Static<typeof Delivery>;

const DeliveryFilter = Type.Object(
  {
    channelID: Type.Optional(Type.Integer({ ...Key, examples: [], description: 'Missing: all of your channels.' })),
    alertID: Type.Optional(Type.Integer({ ...Key, examples: [] })),
    state: Type.Optional(
      Type.Unsafe<DeliveryState>({ ...oneOf(...deliveryStates), examples: [], description: 'Missing: all.' }),
    ),
    count: Type.Optional(Count),
    cursor: Type.Optional(Cursor),
  },
  { title: 'DeliveryFilter' },
);
export type DeliveryFilter = Static<typeof DeliveryFilter>;

const DeliveryPage = Type.Object({ results: Type.Array(Delivery), ...pageCursors }, { title: 'DeliveryPage' });
export type DeliveryPage = Static<typeof DeliveryPage>;

export const listDeliveries = operation('channel', {
  method: 'POST',
  path: '/v1/delivery/list',
  summary: 'List deliveries to your channels, newest first',
  description: 'An admin gets those of every channel. Kept for `EARSHOT_DELIVERY_DAYS`.',
  access: 'caller',
  acts: [],
  body: DeliveryFilter,
  answer: DeliveryPage,
  trail: readsOnly,
});
