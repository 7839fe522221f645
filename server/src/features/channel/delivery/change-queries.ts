import type { Db } from '../../../platform/database/connect.ts';

/** A place in the log of changes. */
interface Place {
  readonly xid: number;
  readonly key: number;
}

/** The changes of one message. */
export interface ChangeRange {
  readonly after: Place;
  readonly until: Place;
}

export interface ChangedChannel {
  readonly subscriptionID: number;
  readonly channelID: number;
}

/** A message for each range, in this order. */
export async function insertChanges(
  tx: Db,
  { subscriptionID, channelID }: ChangedChannel,
  ranges: readonly ChangeRange[],
): Promise<void> {
  const texts = (pick: (range: ChangeRange) => number) => ranges.map((range) => String(pick(range)));
  await tx`
    insert into deliveries (channel_id, subscription_id, kind, after_xid, after_key, until_xid, until_key)
    select ${channelID}::bigint, ${subscriptionID}::bigint, 'change', r.after_xid::xid8, r.after_key::bigint, r.until_xid::xid8,
      r.until_key::bigint
    from unnest(${texts(({ after }) => after.xid)}::text[], ${texts(({ after }) => after.key)}::text[],
      ${texts(({ until }) => until.xid)}::text[], ${texts(({ until }) => until.key)}::text[])
      with ordinality as r (after_xid, after_key, until_xid, until_key, at)
    order by r.at`;
}

/** One message that changes were missed, instead of all that wait. */
export async function insertMissed(tx: Db, { subscriptionID, channelID }: ChangedChannel): Promise<void> {
  await tx`
    update deliveries set state = 'dropped', next_attempt_date = null, end_date = clock_timestamp(),
      reason = 'Its changes are no longer kept; a message says that some were missed.'
    where key = any(array(
      select key from deliveries where subscription_id = ${subscriptionID} and state = 'waiting'
      order by key for no key update))`;
  await tx`
    insert into deliveries (channel_id, subscription_id, kind)
    values (${channelID}, ${subscriptionID}, 'change')`;
}
