import type { DeliveryKind } from '@earshot/contract/delivery';
import type { RuleSeverity } from '@earshot/contract/rule';
import type { Db } from '../../../platform/database/connect.ts';
import type { ToldChannel } from '../../bell/public.ts';

export interface NewDelivery {
  readonly kind: DeliveryKind;
  readonly ruleID: number;
  readonly alertID: number | null;
  readonly severity: RuleSeverity;
}

/** Of the rule, and through which a person is told who chose them for the severity. */
export interface NewDeliveries {
  readonly channels: readonly ToldChannel[];
  readonly people: readonly number[];
  readonly includesWords: boolean;
  readonly waitedSeconds: number | null;
}

/** An alert is told to a channel once. */
export async function insertDeliveries(
  tx: Db,
  { channels, people, includesWords, waitedSeconds }: NewDeliveries,
  { kind, ruleID, alertID, severity }: NewDelivery,
): Promise<void> {
  const named = channels.map(({ channelID }) => channelID);
  await tx`
    insert into deliveries (channel_id, alert_id, rule_id, kind, severity, includes_words, is_personal, waited_seconds)
    select t.key, ${alertID}::bigint, ${ruleID}::bigint, ${kind}, ${severity}, t.includes_words = 1, t.is_personal,
      ${waitedSeconds}::integer
    from (
      select c.key, n.includes_words, false as is_personal
      from unnest(${named}::bigint[], ${channels.map((channel) => Number(channel.includesWords))}::int[])
        as n (key, includes_words)
      join channels c on c.key = n.key
      union all
      select c.key, ${Number(includesWords)}::int, true from bell_channels b join channels c on c.key = b.channel_id
      where b.user_id = any(${people as number[]}::bigint[]) and b.severity = ${severity} and c.user_id = b.user_id
        and c.is_enabled and c.key <> all(${named}::bigint[])) t
    where ${alertID}::bigint is null or not exists (
      select 1 from deliveries d where d.alert_id = ${alertID}::bigint and d.channel_id = t.key and d.kind = ${kind})
    order by t.key`;
}

/** Why what began an alert is not told, or not again. */
export const dealtWith = 'The alert was dealt with before the message was sent.';
/** Why the end of an alert is not told: another end may follow. */
export const reopened = 'The alert was opened again before the message was sent.';

/**
 * What waits is not sent, so that no end of an alert waits behind it. A message that is being sent may still arrive: then it
 * counts as delivered. True if channels were told of the alerts, or may have been.
 */
export async function dropUnsent(tx: Db, alerts: readonly number[]): Promise<boolean> {
  const [row] = await tx<{ isTold: boolean }[]>`
    with dropped as (
      update deliveries set state = 'dropped', reason = ${dealtWith}, end_date = clock_timestamp(), next_attempt_date = null
      where key = any(array(
        select key from deliveries where alert_id = any(${alerts as number[]}::bigint[]) and kind = 'alert'
          and state = 'waiting' order by key for no key update)))
    select exists (select 1 from deliveries where alert_id = any(${alerts as number[]}::bigint[])) as "isTold"`;
  return row?.isTold ?? false;
}

/**
 * Tells the channels that were told of the alerts, or may have been: programs that follow the state of alerts always,
 * people only if none of the matches holds any more, or all states have ended. Once for each alert, unless it was opened again before that was sent.
 */
export async function insertResolved(tx: Db, alerts: readonly number[], following: readonly string[]): Promise<void> {
  await tx`
    insert into deliveries (channel_id, alert_id, rule_id, kind, severity, is_personal)
    select d.channel_id, d.alert_id, d.rule_id, 'resolved', d.severity, d.is_personal
    from deliveries d join channels c on c.key = d.channel_id and c.is_enabled join alerts a on a.key = d.alert_id
    where d.alert_id = any(${alerts as number[]}::bigint[]) and d.kind = 'alert'
      and (d.state = 'delivered' or (d.state = 'dropped' and d.attempts > 0 and d.reason = ${dealtWith}))
      and (c.kind = any(${following as string[]}::text[]) or a.close_reason in ('withdrawn', 'ended'))
      and not exists (
        select 1 from deliveries r where r.alert_id = d.alert_id and r.channel_id = d.channel_id and r.kind = 'resolved'
          and (r.state <> 'dropped' or r.reason is distinct from ${reopened}))
    order by d.key`;
}

/** Ends what waits for a channel that was switched off, when it is too old to matter. */
export async function dropOfDisabled(db: Db, hours: number): Promise<void> {
  await db`
    update deliveries set state = 'dropped', reason = 'The channel was switched off.', end_date = clock_timestamp(),
      next_attempt_date = null
    where state = 'waiting' and subscription_id is null and creation_date < now() - make_interval(hours => ${hours})
      and channel_id = any(array(select key from channels where not is_enabled))`;
}

/** Removes deliveries of before so many days that do not wait, and returns their number. */
export async function removeOldDeliveries(db: Db, days: number, most: number): Promise<number> {
  const rows = await db`
    delete from deliveries where key = any(array(
      select key from deliveries where creation_date < now() - make_interval(days => ${days}) and state <> 'waiting'
      order by creation_date limit ${most} for update skip locked)) returning 1`;
  return rows.length;
}
