import type { LiveChangeName } from '@earshot/contract/live-change';
import type { Subscription, SubscriptionWhere } from '@earshot/contract/subscription';
import type { Role } from '@earshot/contract/user';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Position } from '../live/public.ts';

/** Admins see and end all subscriptions; everybody else their own. */
const subscriptionRight = (db: Db, { role, userID }: Caller): Fragment =>
  role === 'admin' ? db`true` : db`s.user_id = ${userID}`;

const subscriptionColumns = (db: Db): Fragment => db`
  s.key, s.user_id as "userID", s.channel_id as "channelID", s.changes, s.scope as "where",
  s.includes_words as "includesWords", (
    select d.end_date from deliveries d where d.subscription_id = s.key and d.state = 'delivered'
    order by d.key desc limit 1) as "lastSentDate", (
    select d.creation_date from deliveries d where d.subscription_id = s.key and d.state = 'waiting'
    order by d.key limit 1) as "waitingSince",
  s.creation_date as "creationDate", s.created_by as "createdBy"`;

export async function selectSubscriptions(db: Db, caller: Caller): Promise<Subscription[]> {
  return db<Subscription[]>`
    select ${subscriptionColumns(db)} from subscriptions s where ${subscriptionRight(db, caller)}
    order by s.key desc limit 1000`;
}

export async function findSubscription(
  db: Db,
  caller: Caller,
  subscriptionID: number,
): Promise<Subscription | undefined> {
  const [row] = await db<Subscription[]>`
    select ${subscriptionColumns(db)} from subscriptions s
    where s.key = ${subscriptionID} and ${subscriptionRight(db, caller)}`;
  return row;
}

/** Locks the person, so that subscriptions of one person are counted one after another. */
export async function countSubscriptions(tx: Db, ownerID: number): Promise<number> {
  await tx`select 1 from users where key = ${ownerID} for no key update`;
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from subscriptions where user_id = ${ownerID}`;
  return row?.count ?? 0;
}

/** A caller with the rights of the person. */
export async function findOwner(db: Db, ownerID: number): Promise<Caller> {
  const [row] = await db<{ role: Role }[]>`select role from users where key = ${ownerID}`;
  return { userID: ownerID, role: row?.role ?? 'member', credential: 'subscription' };
}

interface NewSubscriptionRow {
  readonly channelID: number;
  readonly changes: readonly LiveChangeName[];
  readonly scope: SubscriptionWhere | undefined;
  readonly includesWords: boolean;
  readonly place: Position;
}

/** Undefined if the channel was deleted meanwhile. */
export async function insertSubscription(
  tx: Db,
  { userID }: Caller,
  ownerID: number,
  { channelID, changes, scope, includesWords, place }: NewSubscriptionRow,
): Promise<number | undefined> {
  const [row] = await tx<{ key: number }[]>`
    with channel as (select key from channels where key = ${channelID} and user_id = ${ownerID} for key share)
    insert into subscriptions (user_id, channel_id, changes, scope, includes_words, xid, change_key, created_by)
    select ${ownerID}::bigint, key, ${changes as LiveChangeName[]}::text[],
      ${scope === undefined ? null : JSON.stringify(scope)}::text::jsonb, ${includesWords}::boolean, ${place.xid}::text::xid8,
      ${place.key}::bigint, ${userID}::bigint from channel
    returning key`;
  return row?.key;
}

export async function removeSubscription(tx: Db, caller: Caller, subscriptionID: number): Promise<boolean> {
  const rows = await tx`
    delete from subscriptions s where s.key = ${subscriptionID} and ${subscriptionRight(tx, caller)} returning 1`;
  return rows.length === 1;
}
