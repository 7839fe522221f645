import type { LiveChangeName } from '@earshot/contract/live-change';
import type { SubscriptionWhere } from '@earshot/contract/subscription';
import type { Role } from '@earshot/contract/user';
import type { Db } from '../../platform/database/connect.ts';
import { isWatched } from '../rule/public.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Position } from '../live/public.ts';

/** Takes or renews the lease of the node that follows the log. False: another node has it. */
export async function takeFollowLease(db: Db, holder: string, seconds: number): Promise<boolean> {
  const rows = await db`
    update subscription_lease set holder = ${holder}::uuid, held_until = now() + make_interval(secs => ${seconds})
    where holder is null or holder = ${holder}::uuid or held_until < now() returning 1`;
  return rows.length === 1;
}

export async function releaseFollowLease(db: Db, holder: string): Promise<void> {
  await db`update subscription_lease set holder = null, held_until = null where holder = ${holder}::uuid`;
}

/** What is wanted of the log, and with whose rights. */
export interface Filter {
  readonly ownerID: number;
  readonly ownerRole: Role;
  readonly changes: readonly LiveChangeName[];
  readonly scope: SubscriptionWhere | null;
}

export const ownerOf = ({ ownerID, ownerRole }: Filter): Caller => ({
  userID: ownerID,
  role: ownerRole,
  credential: 'subscription',
});

export interface FollowedSubscription extends Filter {
  readonly key: number;
  readonly channelID: number;
  /** Null: changes were missed. */
  readonly xid: number | null;
  readonly changeKey: number | null;
  /** Messages that wait, counted up to one more than given. */
  readonly waiting: number;
  /** Whether a message waits whose changes are no longer kept. */
  readonly isSwept: boolean;
}

/** Those whose channel may be sent to. */
export async function findFollowed(db: Db, most: number): Promise<FollowedSubscription[]> {
  return db<FollowedSubscription[]>`
    select s.key, s.user_id as "ownerID", u.role as "ownerRole", s.channel_id as "channelID", s.changes, s.scope,
      s.xid::text::bigint as xid, s.change_key as "changeKey", w.waiting, exists (
        select 1 from deliveries d join change_sweep c on (c.xid, c.key) > (d.after_xid, d.after_key)
        where d.subscription_id = s.key and d.state = 'waiting') as "isSwept"
    from subscriptions s join channels c on c.key = s.channel_id and c.is_enabled
    join users u on u.key = s.user_id and not u.disabled
    cross join lateral (
      select count(*)::int as waiting from (
        select 1 from deliveries d where d.subscription_id = s.key and d.state = 'waiting' limit ${most + 1}) d) w
    order by s.key`;
}

/** False if it was moved by another node, or the subscription is gone. */
export async function movePlace(tx: Db, subscriptionID: number, from: Position, to: Position): Promise<boolean> {
  const rows = await tx`
    update subscriptions set xid = ${to.xid}::text::xid8, change_key = ${to.key}::bigint
    where key = ${subscriptionID} and xid = ${from.xid}::text::xid8 and change_key = ${from.key} returning 1`;
  return rows.length === 1;
}

/** Waits for others that move it. False: it is gone. */
export async function lockPlace(tx: Db, subscriptionID: number): Promise<boolean> {
  return (await tx`select 1 from subscriptions where key = ${subscriptionID} for no key update`).length === 1;
}

/** Moves the place beyond changes that are no longer kept. False: none were missed. */
export async function passMissed(tx: Db, subscriptionID: number, to: Position): Promise<boolean> {
  const rows = await tx`
    update subscriptions s set xid = ${to.xid}::text::xid8, change_key = ${to.key}::bigint
    from change_sweep c
    where s.key = ${subscriptionID} and (s.xid is null or (c.xid, c.key) > (s.xid, s.change_key) or exists (
      select 1 from deliveries d
      where d.subscription_id = s.key and d.state = 'waiting' and (c.xid, c.key) > (d.after_xid, d.after_key)))
    returning 1`;
  return rows.length === 1;
}

/** From now on until the next message, changes of the person's subscriptions count as missed. */
export async function forgetPlaces(tx: Db, userID: number): Promise<void> {
  await tx`
    update subscriptions set xid = null, change_key = null
    where key = any(array(select key from subscriptions where user_id = ${userID} order by key for no key update))`;
}

/** Those of the devices that the owner may read, and that are in the scope, now. */
export async function findInScope(db: Db, filter: Filter, deviceIDs: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await db<{ key: number }[]>`
    select d.key from devices d
    where d.key = any(${deviceIDs as number[]}::bigint[]) and ${isWatched(db, ownerOf(filter), filter.scope ?? undefined)}`;
  return new Set(rows.map(({ key }) => key));
}
