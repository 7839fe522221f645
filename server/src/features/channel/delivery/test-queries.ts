import type { Db } from '../../../platform/database/connect.ts';
import type { TakenDelivery } from './take-queries.ts';

/** Of all channels of the owner, in the last hour. */
export async function countTests(tx: Db, ownerID: number): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from channels c join deliveries d on d.channel_id = c.key
    where c.user_id = ${ownerID} and d.kind = 'test' and d.creation_date > now() - interval '1 hour'`;
  return row?.count ?? 0;
}

/** Taken at once. If the node dies meanwhile, it is sent later. */
export async function insertTest(tx: Db, channelID: number): Promise<TakenDelivery> {
  const [row] = await tx<TakenDelivery[]>`
    with added as (
      insert into deliveries (channel_id, kind, attempts, next_attempt_date)
      values (${channelID}, 'test', 1, now() + interval '5 minutes') returning *)
    select d.key, d.message_id as "messageID", d.kind, d.severity, d.includes_words as "includesWords",
      d.is_personal as "isPersonal", d.waited_seconds as "waitedSeconds", d.alert_id as "alertID", d.rule_id as "ruleID",
      null as "ruleOwnerID", null as "ruleOwnerRole", d.attempts, d.creation_date as date, 0::float8 as "ageSeconds",
      floor(extract(epoch from clock_timestamp()))::bigint as epoch, c.key as "channelID",
      c.channel_name as "channelName", c.kind as "channelKind", c.sealed_settings as "sealedSettings",
      c.confirmed_date is not null as "isConfirmed", c.failures, c.user_id as "ownerID", u.role as "ownerRole",
      u.disabled as "isOwnerDisabled", u.postback_secret as "postbackSecret"
    from added d join channels c on c.key = d.channel_id join users u on u.key = c.user_id`;
  if (!row) throw new Error('an inserted test was not returned');
  return row;
}
