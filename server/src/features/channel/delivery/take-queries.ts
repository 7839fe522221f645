import type { ChannelKindName } from '@earshot/contract/channel-kinds';
import type { DeliveryKind } from '@earshot/contract/delivery';
import type { RuleSeverity } from '@earshot/contract/rule';
import type { Role } from '@earshot/contract/user';
import type { Db } from '../../../platform/database/connect.ts';

/** A channel whose messages this worker sends until its lease ends. */
export interface HeldChannel {
  readonly key: number;
  readonly workerID: string;
}

/**
 * Holds channels that have a message to send and no worker: those found first along the index of what waits. A person
 * with many channels holds some of the places only.
 */
export async function holdChannels(
  db: Db,
  places: { readonly free: number; readonly perOwner: number; readonly held: readonly number[] },
  leaseSeconds: number,
): Promise<HeldChannel[]> {
  return db<HeldChannel[]>`
    with recursive waiting as (
      (select channel_id from deliveries where state = 'waiting' order by channel_id limit 1)
      union all
      select next.channel_id from waiting w cross join lateral (
        select d.channel_id from deliveries d where d.state = 'waiting' and d.channel_id > w.channel_id
        order by d.channel_id limit 1) next),
    due as (
      select c.key, c.user_id, f.next_attempt_date from waiting w join channels c on c.key = w.channel_id
        cross join lateral (
          select d.next_attempt_date from deliveries d where d.channel_id = c.key and d.state = 'waiting'
          order by d.next_attempt_date limit 1) f
      where f.next_attempt_date <= now() and c.is_enabled and c.key <> all(${places.held as number[]}::bigint[])
        and (c.worker_until is null or c.worker_until < now()) and (c.paused_until is null or c.paused_until <= now())),
    turns as (
      select key, next_attempt_date, row_number() over (partition by user_id order by next_attempt_date, key)
        + (select count(*) from channels h where h.user_id = due.user_id and h.worker_until > now()) as turn from due),
    chosen as (
      select key from turns where turn <= ${places.perOwner} order by turn, next_attempt_date limit ${places.free}),
    free as (
      select c.key from chosen n cross join lateral (
        select c.key from channels c where c.key = n.key and (c.worker_until is null or c.worker_until < now())
        for no key update skip locked) c)
    update channels c set worker_id = gen_random_uuid(), worker_until = now() + make_interval(secs => ${leaseSeconds})
    where c.key = any(array(select key from free)) returning c.key, c.worker_id as "workerID"`;
}

/** A message that is attempted now. */
export interface TakenDelivery {
  readonly key: number;
  readonly messageID: string;
  readonly kind: DeliveryKind;
  readonly severity: RuleSeverity;
  readonly includesWords: boolean;
  /** The owner of the channel chose it; else a rule names it. */
  readonly isPersonal: boolean;
  /** For how long nobody had acknowledged the alert; null: told at first. */
  readonly waitedSeconds: number | null;
  readonly alertID: number | null;
  readonly ruleID: number | null;
  readonly ruleOwnerID: number | null;
  readonly ruleOwnerRole: Role | null;
  /** The number of this attempt, starting at 1. */
  readonly attempts: number;
  readonly date: Date;
  readonly ageSeconds: number;
  /** Seconds since 1970, by the database's clock. */
  readonly epoch: number;
  readonly channelID: number;
  readonly channelName: string;
  readonly channelKind: ChannelKindName;
  readonly sealedSettings: Buffer | null;
  readonly isConfirmed: boolean;
  readonly failures: number;
  readonly ownerID: number;
  readonly ownerRole: Role;
  readonly isOwnerDisabled: boolean;
  readonly postbackSecret: Buffer;
}

/**
 * Takes the next message of the channel and renews the lease. Of one alert, and of one subscription, the message that was
 * written first is sent first. If the node stops during the attempt, the row stays waiting, and another node repeats it
 * with the same id.
 */
export async function takeDelivery(
  db: Db,
  { key, workerID }: HeldChannel,
  leaseSeconds: number,
): Promise<TakenDelivery | undefined> {
  const [row] = await db<TakenDelivery[]>`
    with held as (
      update channels set worker_until = now() + make_interval(secs => ${leaseSeconds})
      where key = ${key} and worker_id = ${workerID}::uuid and is_enabled and (paused_until is null or paused_until <= now())
      returning *),
    next as (
      select d.key from deliveries d
      where d.channel_id = (select key from held) and d.state = 'waiting' and d.next_attempt_date <= now()
        and not exists (
          select 1 from deliveries b where b.alert_id = d.alert_id and b.channel_id = d.channel_id and b.key < d.key
            and b.state = 'waiting')
        and not exists (
          select 1 from deliveries b where b.subscription_id = d.subscription_id and b.key < d.key and b.state = 'waiting')
      order by d.next_attempt_date, d.key limit 1 for no key update skip locked),
    taken as (
      update deliveries d set attempts = d.attempts + 1,
        next_attempt_date = now() + make_interval(secs => ${leaseSeconds})
      from next where d.key = next.key returning d.*)
    select d.key, d.message_id as "messageID", d.kind, d.severity, d.includes_words as "includesWords",
      d.is_personal as "isPersonal", d.waited_seconds as "waitedSeconds", d.alert_id as "alertID", d.rule_id as "ruleID",
      o.key as "ruleOwnerID", o.role as "ruleOwnerRole", d.attempts, d.creation_date as date,
      extract(epoch from clock_timestamp() - d.creation_date)::float8 as "ageSeconds",
      floor(extract(epoch from clock_timestamp()))::bigint as epoch, h.key as "channelID",
      h.channel_name as "channelName", h.kind as "channelKind", h.sealed_settings as "sealedSettings",
      h.confirmed_date is not null as "isConfirmed", h.failures, h.user_id as "ownerID", u.role as "ownerRole",
      u.disabled as "isOwnerDisabled", u.postback_secret as "postbackSecret"
    from taken d cross join held h join users u on u.key = h.user_id
      left join rules r on r.key = d.rule_id left join users o on o.key = coalesce(r.user_id, r.last_modified_by)`;
  return row;
}

export async function releaseChannel(db: Db, { key, workerID }: HeldChannel): Promise<void> {
  await db`update channels set worker_id = null, worker_until = null where key = ${key} and worker_id = ${workerID}::uuid`;
}
