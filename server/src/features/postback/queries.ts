import type { Event } from '@earshot/contract/event';
import type { Postback } from '@earshot/contract/postback';
import type { Db } from '../../platform/database/connect.ts';
import { eventColumns } from '../event/rules.ts';

export async function listPostbacks(db: Db, eventID: number): Promise<Postback[]> {
  return db<Postback[]>`
    select p.key, p.event_id as "eventID", split_part(split_part(e.postback_url, '#', 1), '?', 1) as url,
      p.postback_state as state, p.attempts, p.last_status as "lastStatus", p.last_error as "lastError",
      p.next_attempt_date as "nextAttemptDate", p.delivered_date as "deliveredDate", p.creation_date as "creationDate"
    from postbacks p join events e on e.key = p.event_id where p.event_id = ${eventID} order by p.key`;
}

/** A postback that this node is to attempt now, with all that the attempt needs. */
export interface DuePostback {
  readonly key: number;
  readonly messageID: string;
  /** Which attempt this is, from 1 on. */
  readonly attempts: number;
  /** Without its query part, if it is kept apart. */
  readonly postbackURL: string;
  readonly sealedSecrets: Buffer | null;
  readonly endDate: Date;
  /** Seconds since 1970, by the database. */
  readonly attemptEpoch: number;
  readonly ownerID: number;
  readonly sealedSecret: Buffer;
  readonly event: Event;
}

interface DueRow extends Event {
  readonly postbackKey: number;
  readonly messageID: string;
  readonly attempts: number;
  readonly postbackURL: string;
  readonly sealedSecrets: Buffer | null;
  readonly endDate: Date;
  readonly attemptEpoch: number;
  readonly ownerID: number;
  readonly sealedSecret: Buffer;
}

/** Among which the fair share of each owner is found. */
const mostCandidates = 500;

export interface Places {
  readonly free: number;
  /** How many one owner may have under way, so that their slow receivers hold up nobody else's. */
  readonly perOwner: number;
  /** The owners of what is under way, once for each. */
  readonly taken: readonly number[];
}

/** Claims some that are due: until their leases end, no other node attempts them. */
export async function claimPostbacks(db: Db, places: Places, leaseSeconds: number): Promise<DuePostback[]> {
  const rows = await db<DueRow[]>`
    with taken as (
      select owner_id, count(*) as places from unnest(${places.taken as number[]}::bigint[]) as t (owner_id) group by 1),
    oldest as (
      select p.key, d.user_id, p.next_attempt_date from postbacks p
        join events e on e.key = p.event_id join devices d on d.key = e.device_id
      where p.postback_state = 'waiting' and p.next_attempt_date <= now()
        and d.user_id not in (select owner_id from taken where places >= ${places.perOwner})
      order by p.next_attempt_date limit ${mostCandidates}),
    candidates as (
      select o.key, coalesce(t.places, 0)
        + row_number() over (partition by o.user_id order by o.next_attempt_date) as place
      from oldest o left join taken t on t.owner_id = o.user_id),
    due as (
      select p.key from postbacks p join candidates c on c.key = p.key
      where c.place <= ${places.perOwner} and p.postback_state = 'waiting' and p.next_attempt_date <= now()
      order by p.next_attempt_date limit ${places.free} for update of p skip locked),
    claimed as (
      update postbacks p set attempts = p.attempts + 1,
        next_attempt_date = now() + make_interval(secs => ${leaseSeconds})
      from due where p.key = due.key returning p.*)
    select p.key as "postbackKey", p.message_id as "messageID", p.attempts, p.creation_date as "endDate",
      floor(extract(epoch from clock_timestamp()))::bigint as "attemptEpoch", e.postback_url as "postbackURL",
      s.sealed as "sealedSecrets",
      d.user_id as "ownerID", u.postback_secret as "sealedSecret", ${eventColumns(db)}
    from claimed p join events e on e.key = p.event_id join devices d on d.key = e.device_id
      join users u on u.key = d.user_id left join event_secrets s on s.event_id = e.key`;
  return rows.map((row) => {
    const { postbackKey, messageID, attempts, endDate, attemptEpoch, ownerID, ...rest } = row;
    const { postbackURL, sealedSecrets, sealedSecret, ...event } = rest;
    const target = { postbackURL, sealedSecrets, ownerID, sealedSecret };
    return { key: postbackKey, messageID, attempts, endDate, attemptEpoch, ...target, event };
  });
}

export interface Attempt {
  readonly key: number;
  readonly attempts: number;
  readonly status: number | null;
  readonly error: string | null;
}

/** Delivered is delivered, even when the attempt outlived its lease and another is under way. */
export async function setDelivered(db: Db, { key, status }: Attempt): Promise<void> {
  await db`
    update postbacks set postback_state = 'delivered', delivered_date = clock_timestamp(), next_attempt_date = null,
      last_status = ${status}, last_error = null
    where key = ${key} and postback_state = 'waiting'`;
}

export async function setFailed(db: Db, { key, attempts, status, error }: Attempt): Promise<void> {
  await db`
    update postbacks set postback_state = 'failed', next_attempt_date = null, last_status = ${status},
      last_error = ${error}
    where key = ${key} and postback_state = 'waiting' and attempts = ${attempts}`;
}

export interface RetryPlan {
  /** The wait after the first attempt; it doubles with each. */
  readonly firstSeconds: number;
  readonly longestSeconds: number;
  /** Since the event ended; an attempt that would come later is not made. */
  readonly withinSeconds: number;
}

/** Growing, and spread out: what failed together should not come back together. */
export async function setRetry(db: Db, { key, attempts, status, error }: Attempt, plan: RetryPlan): Promise<void> {
  await db`
    with planned as (
      select key, now() + make_interval(secs => least(${plan.firstSeconds} * power(2, least(attempts - 1, 30)),
          ${plan.longestSeconds}) * (0.75 + random() * 0.5)) as next_date,
        creation_date + make_interval(secs => ${plan.withinSeconds}) as last_date
      from postbacks where key = ${key} and postback_state = 'waiting' and attempts = ${attempts} for update)
    update postbacks p set last_status = ${status}, last_error = ${error},
      postback_state = case when next_date <= last_date then 'waiting' else 'failed' end,
      next_attempt_date = case when next_date <= last_date then next_date end
    from planned where p.key = planned.key`;
}

/** Gives back what was claimed and not attempted to its end, for any node to take up at once. */
export async function releasePostback(db: Db, key: number, attempts: number): Promise<void> {
  await db`
    update postbacks set next_attempt_date = now()
    where key = ${key} and postback_state = 'waiting' and attempts = ${attempts}`;
}
