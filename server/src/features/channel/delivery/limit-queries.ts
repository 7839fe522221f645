import type { Db, Fragment } from '../../../platform/database/connect.ts';

/** Changes of subscriptions are counted for themselves: they take no alert's place. */
const ofSort = (db: Db, isChange: boolean): Fragment => (isChange ? db`d.kind = 'change'` : db`d.kind <> 'change'`);

/** The messages that the channel delivered in the last hour, beside tests and digests; counted up to the limit. */
export async function countDelivered(db: Db, channelID: number, most: number, isChange: boolean): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from deliveries d
      where d.channel_id = ${channelID} and d.state = 'delivered' and d.end_date > now() - interval '1 hour'
        and d.kind not in ('test', 'digest') and ${ofSort(db, isChange)} limit ${most}) d`;
  return row?.count ?? 0;
}

/** The messages that channels of these kinds delivered in the last hour, counted up to the limit. */
export async function countOfKinds(db: Db, kinds: readonly string[], most: number, isChange: boolean): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from deliveries d join channels c on c.key = d.channel_id
      where d.state = 'delivered' and d.end_date > now() - interval '1 hour' and c.kind = any(${kinds as string[]}::text[])
        and ${ofSort(db, isChange)}
      limit ${most}) d`;
  return row?.count ?? 0;
}

export interface NextDigest {
  /** The digest of a person, else the one of what was too much for an hour. */
  readonly isPersonal: boolean;
  /** When a new one is sent; undefined: in an hour. */
  readonly date?: Date;
  /** Why the message waits for it. */
  readonly reason: string;
}

/** Counts the message in the next digest of its channel, which is sent at a time after the first one that was held back. */
export async function holdBack(
  db: Db,
  key: number,
  channelID: number,
  { isPersonal, date, reason }: NextDigest,
): Promise<void> {
  await db`
    with next as (
      select key from deliveries
      where channel_id = ${channelID} and kind = 'digest' and is_personal = ${isPersonal} and state = 'waiting' and attempts = 0
      order by key limit 1),
    added as (
      insert into deliveries (channel_id, kind, is_personal, next_attempt_date)
      select ${channelID}::bigint, 'digest', ${isPersonal}, coalesce(${date ?? null}::timestamptz, now() + interval '1 hour')
      where not exists (select 1 from next) returning key)
    update deliveries set state = 'digested', next_attempt_date = null, end_date = clock_timestamp(),
      digest_id = (select key from next union all select key from added), reason = ${reason}
    where key = ${key} and state = 'waiting'`;
}

/** As if the attempt had not been begun, for a while. */
export async function postpone(db: Db, key: number, seconds: number, reason: string): Promise<void> {
  await db`
    update deliveries set attempts = attempts - 1, reason = ${reason},
      next_attempt_date = now() + make_interval(secs => ${seconds})
    where key = ${key} and state = 'waiting'`;
}

/** What a digest counts: the messages of each rule whose alerts are still open. */
export async function findHeld(db: Db, digestID: number): Promise<{ ruleName: string; count: number }[]> {
  return db<{ ruleName: string; count: number }[]>`
    select r.rule_name as "ruleName", count(*)::int as count
    from deliveries d join rules r on r.key = d.rule_id left join alerts a on a.key = d.alert_id
    where d.digest_id = ${digestID} and (a.key is null or a.state = 'open')
    group by r.key, r.rule_name order by count(*) desc, r.key limit 20`;
}
