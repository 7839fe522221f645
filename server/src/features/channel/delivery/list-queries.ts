import type { Delivery, DeliveryState } from '@earshot/contract/delivery';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { channelRight } from '../queries.ts';

export interface DeliveryPlace {
  readonly channelID: number | undefined;
  readonly alertID: number | undefined;
  readonly state: DeliveryState | undefined;
  readonly after: number | undefined;
  readonly ascending: boolean;
  readonly count: number;
}

export async function selectDeliveries(
  db: Db,
  caller: Caller,
  { channelID, alertID, state, after, ascending, count }: DeliveryPlace,
): Promise<(Delivery & { readonly key: number })[]> {
  const place = after === undefined ? db`` : ascending ? db`and d.key > ${after}` : db`and d.key < ${after}`;
  const direction = ascending ? db`asc` : db`desc`;
  return db`
    select d.key, d.message_id as "messageID", d.channel_id as "channelID", d.kind, d.is_personal as "isPersonal",
      d.alert_id as "alertID", d.rule_id as "ruleID", d.subscription_id as "subscriptionID", d.state, d.attempts,
      d.last_status as "lastStatus", d.reason,
      d.next_attempt_date as "nextAttemptDate", d.end_date as "endDate", d.creation_date as "creationDate"
    from channels c cross join lateral (
      select d.* from deliveries d where d.channel_id = c.key ${place}
        ${alertID === undefined ? db`` : db`and d.alert_id = ${alertID}`}
        ${state === undefined ? db`` : db`and d.state = ${state}`}
      order by d.key ${direction} limit ${count}) d
    where ${channelRight(db, caller)} ${channelID === undefined ? db`` : db`and c.key = ${channelID}`}
    order by d.key ${direction} limit ${count}`;
}
