import type { DeliveryKind } from '@earshot/contract/delivery';
import type { RuleSeverity } from '@earshot/contract/rule';
import type { Db } from '../../../platform/database/connect.ts';
import type { ToldChannel } from '../../bell/public.ts';

export interface NewDelivery {
  readonly kind: DeliveryKind;
  readonly ruleID: number | null;
  readonly alertID: number | null;
  readonly severity: RuleSeverity;
}

/** An alert is told to a channel once. */
export async function insertDeliveries(
  tx: Db,
  channels: readonly ToldChannel[],
  { kind, ruleID, alertID, severity }: NewDelivery,
): Promise<void> {
  await tx`
    insert into deliveries (channel_id, alert_id, rule_id, kind, severity, includes_words)
    select c.key, ${alertID}::bigint, ${ruleID}::bigint, ${kind}, ${severity}, n.includes_words = 1
    from unnest(${channels.map(({ channelID }) => channelID)}::bigint[],
      ${channels.map(({ includesWords }) => Number(includesWords))}::int[]) as n (channel_id, includes_words)
    join channels c on c.key = n.channel_id
    where ${alertID}::bigint is null or not exists (
      select 1 from deliveries d where d.alert_id = ${alertID}::bigint and d.channel_id = c.key and d.kind = ${kind})
    order by c.key`;
}

/** What was not attempted yet is not sent any more. True if channels were told of the alerts, or are being told. */
export async function dropUnsent(tx: Db, alerts: readonly number[], reason: string): Promise<boolean> {
  const [row] = await tx<{ isTold: boolean }[]>`
    with dropped as (
    update deliveries set state = 'dropped', reason = ${reason}, end_date = clock_timestamp(), next_attempt_date = null
    where key = any(array(
      select key from deliveries where alert_id = any(${alerts as number[]}::bigint[]) and kind = 'alert'
        and state = 'waiting' and attempts = 0 order by key for no key update)))
    select exists (select 1 from deliveries where alert_id = any(${alerts as number[]}::bigint[])) as "isTold"`;
  return row?.isTold ?? false;
}

/**
 * Tells the channels that were told of the alerts, or may have been: programs that follow the state of alerts always,
 * people only if none of the matches holds any more. Once for each alert.
 */
export async function insertResolved(tx: Db, alerts: readonly number[], following: readonly string[]): Promise<void> {
  await tx`
    insert into deliveries (channel_id, alert_id, rule_id, kind, severity)
    select d.channel_id, d.alert_id, d.rule_id, 'resolved', d.severity
    from deliveries d join channels c on c.key = d.channel_id and c.is_enabled join alerts a on a.key = d.alert_id
    where d.alert_id = any(${alerts as number[]}::bigint[]) and d.kind = 'alert'
      and (d.state = 'delivered' or (d.state = 'waiting' and d.attempts > 0))
      and (c.kind = any(${following as string[]}::text[]) or a.close_reason = 'withdrawn')
      and not exists (
        select 1 from deliveries r where r.alert_id = d.alert_id and r.channel_id = d.channel_id and r.kind = 'resolved')
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
