import { channelKinds, kindsWithoutChanges } from '@earshot/contract/channel-kinds';
import type { NewSubscription, Subscription, SubscriptionWhere } from '@earshot/contract/subscription';
import { mostSubscriptions } from '@earshot/contract/subscription';
import type { FieldError } from '@earshot/contract/validation';
import { findReadable } from '../../access.ts';
import { conflict, invalid, invalidField, notFound } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { recordAct } from '../audit/public.ts';
import { requireChannel } from '../channel/public.ts';
import type { Live } from '../live/public.ts';
import { findMerged } from '../rule/public.ts';
import { countSubscriptions, findOwner, findSubscription, insertSubscription, removeSubscription } from './queries.ts';

export async function readSubscription(db: Db, caller: Caller, subscriptionID: number): Promise<Subscription> {
  const subscription = await findSubscription(db, caller, subscriptionID);
  if (!subscription) throw notFound('subscription', subscriptionID);
  return subscription;
}

/** It belongs to the owner of the channel, with whose rights changes are sent. */
export async function addSubscription(
  db: Pool,
  changes: Live['changes'],
  caller: Caller,
  { channelID, changes: names, where, includesWords = false }: NewSubscription,
): Promise<Subscription> {
  const place = await changes.findEnd();
  const key = await inTransaction(db, async (tx) => {
    const { userID: ownerID, kind } = await requireChannel(tx, caller, channelID);
    if (kindsWithoutChanges.includes(kind))
      throw invalidField(
        'channelID',
        `names a channel of the kind ${channelKinds[kind].label}, which takes alerts only`,
      );
    if ((await countSubscriptions(tx, ownerID)) >= mostSubscriptions)
      throw conflict(`There are ${mostSubscriptions} subscriptions of this person, the limit; delete one first.`);
    const scope = settleScope(where);
    await requireScope(tx, await findOwner(tx, ownerID), scope);
    // Distinct, in the order of the request.
    const content = { channelID, changes: [...new Set(names)], scope, includesWords, place };
    const subscriptionID = await insertSubscription(tx, caller, ownerID, content);
    if (subscriptionID === undefined) throw notFound('channel', channelID);
    await recordAct(tx, caller, 'subscription-created', { recordID: subscriptionID });
    return subscriptionID;
  });
  return readSubscription(db, caller, key);
}

/** Undefined if it is no condition. */
function settleScope(where: SubscriptionWhere | undefined): SubscriptionWhere | undefined {
  const { deviceIDs = [], collectionIDs = [] } = where ?? {};
  return deviceIDs.length + collectionIDs.length === 0
    ? undefined
    : { deviceIDs: [...new Set(deviceIDs)], collectionIDs: [...new Set(collectionIDs)] };
}

async function requireScope(db: Db, owner: Caller, scope: SubscriptionWhere | undefined): Promise<void> {
  const { deviceIDs = [], collectionIDs = [] } = scope ?? {};
  const into = await findMerged(db, deviceIDs);
  const presentOf = (key: number): number => into.get(key) ?? key;
  const readable = await findReadable(db, owner, deviceIDs.map(presentOf), collectionIDs);
  const unseen = (path: string, noun: string, key: number): FieldError => ({
    path,
    message: `names ${noun} ${key}, which does not exist or which the owner of the channel may not see`,
  });
  const errors = [
    ...deviceIDs.flatMap((key, at) =>
      readable.devices.has(presentOf(key)) ? [] : [unseen(`where.deviceIDs[${at}]`, 'device', key)],
    ),
    ...collectionIDs.flatMap((key, at) =>
      readable.collections.has(key) ? [] : [unseen(`where.collectionIDs[${at}]`, 'collection', key)],
    ),
  ];
  if (errors.length > 0) throw invalid(errors);
}

export async function eraseSubscription(db: Pool, caller: Caller, subscriptionID: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await removeSubscription(tx, caller, subscriptionID))) throw notFound('subscription', subscriptionID);
    await recordAct(tx, caller, 'subscription-removed', { recordID: subscriptionID });
  });
}
