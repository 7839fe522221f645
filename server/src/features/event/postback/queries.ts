import type { Postback } from '@earshot/contract/postback';
import type { Db } from '../../../platform/database/connect.ts';
import type { StoredEvent } from '../../../platform/events/stored-event.ts';
import { eventColumns } from '../list/queries.ts';

export async function findPostbacks(db: Db, eventID: number): Promise<Postback[]> {
  return db<Postback[]>`
    select p.key, p.event_id as "eventID", split_part(split_part(e.postback_url, '#', 1), '?', 1) as url,
      p.postback_state as state, p.attempts, p.last_status as "lastStatus", p.last_error as "lastError",
      p.next_attempt_date as "nextAttemptDate", p.delivered_date as "deliveredDate", p.creation_date as "creationDate"
    from postbacks p join events e on e.key = p.event_id where p.event_id = ${eventID} order by p.key`;
}

/** A postback that this node attempts now, with everything that the attempt needs. */
export interface DuePostback {
  readonly key: number;
  readonly messageID: string;
  /** The number of this attempt, starting at 1. */
  readonly attempts: number;
  /** Without the query part, which is stored encrypted. */
  readonly postbackURL: string;
  readonly sealedSecrets: Buffer | null;
  readonly endDate: Date;
  /** Seconds since 1970, by the database's clock. */
  readonly attemptEpoch: number;
  readonly ownerID: number;
  readonly host: string;
  readonly sealedSecret: Buffer;
  readonly event: StoredEvent;
}

interface DueRow extends StoredEvent {
  readonly postbackKey: number;
  readonly messageID: string;
  readonly attempts: number;
  readonly postbackURL: string;
  readonly sealedSecrets: Buffer | null;
  readonly endDate: Date;
  readonly attemptEpoch: number;
  readonly ownerID: number;
  readonly host: string;
  readonly sealedSecret: Buffer;
}

/** The number of rows read per owner, among which the ones to attempt are chosen. */
const mostCandidates = 50;

/** A running attempt. */
export interface RunningAttempt {
  readonly ownerID: number;
  readonly host: string;
}

export interface Places {
  readonly free: number;
  /** The most running attempts of one owner, so that slow receivers of one owner do not delay other owners. */
  readonly perOwner: number;
  /** The most running attempts to one host, so that a host that hangs does not delay other hosts. */
  readonly perHost: number;
  /** The most running attempts of one owner to one host. */
  readonly perOwnerAndHost: number;
  readonly running: readonly RunningAttempt[];
}

/**
 * Claims some due postbacks: until their leases end, no other node attempts them. Finds the owners with due postbacks
 * one by one along the index, and takes them in turns: first the oldest of each owner, then the second of each.
 */
export async function claimPostbacks(db: Db, places: Places, leaseSeconds: number): Promise<DuePostback[]> {
  const isDue = db`p.postback_state = 'waiting' and p.next_attempt_date <= now()`;
  const rows = await db<DueRow[]>`
    with recursive running as (
      select * from unnest(${places.running.map(({ ownerID }) => ownerID)}::bigint[],
        ${places.running.map(({ host }) => host)}::text[]) as t (owner_id, host)),
    owners as (
      (select p.owner_id from postbacks p where ${isDue} order by p.owner_id limit 1)
      union all
      select next.owner_id from owners o cross join lateral (
        select p.owner_id from postbacks p where ${isDue} and p.owner_id > o.owner_id order by p.owner_id limit 1) next),
    oldest as (
      select p.key, p.owner_id, p.host, p.next_attempt_date from owners o cross join lateral (
        select * from postbacks p where ${isDue} and p.owner_id = o.owner_id
        order by p.next_attempt_date limit ${mostCandidates}) p),
    of_host as (
      select *, row_number() over (partition by owner_id, host order by next_attempt_date, key)
        + (select count(*) from running t where t.owner_id = o.owner_id and t.host = o.host) as place
      from oldest o),
    of_owner as (
      select *, row_number() over (partition by owner_id order by next_attempt_date, key)
        + (select count(*) from running t where t.owner_id = o.owner_id) as turn
      from of_host o where place <= ${places.perOwnerAndHost}),
    candidates as (
      select key, turn, next_attempt_date, row_number() over (partition by host order by turn, next_attempt_date, key)
        + (select count(*) from running t where t.host = o.host) as place
      from of_owner o where turn <= ${places.perOwner}),
    chosen as (
      select key from candidates where place <= ${places.perHost}
      order by turn, next_attempt_date limit ${places.free}),
    due as (
      -- Row by row by key, because the planner cannot know how few they are. Rows that another node is claiming are skipped.
      select p.key from chosen c cross join lateral (
        select p.key from postbacks p where p.key = c.key and ${isDue} for update skip locked) p),
    claimed as (
      update postbacks p set attempts = p.attempts + 1,
        next_attempt_date = now() + make_interval(secs => ${leaseSeconds})
      where p.key = any (array(select key from due)) returning p.*)
    select p.key as "postbackKey", p.message_id as "messageID", p.attempts, p.creation_date as "endDate",
      floor(extract(epoch from clock_timestamp()))::bigint as "attemptEpoch", e.postback_url as "postbackURL",
      s.sealed as "sealedSecrets",
      p.owner_id as "ownerID", p.host, u.postback_secret as "sealedSecret", ${eventColumns(db)}
    from claimed p join events e on e.key = p.event_id join devices d on d.key = e.device_id
      join users u on u.key = d.user_id left join event_secrets s on s.event_id = e.key`;
  return rows.map((row) => {
    const { postbackKey, messageID, attempts, endDate, attemptEpoch, ownerID, host, ...rest } = row;
    const { postbackURL, sealedSecrets, sealedSecret, ...event } = rest;
    const target = { postbackURL, sealedSecrets, ownerID, host, sealedSecret };
    return { key: postbackKey, messageID, attempts, endDate, attemptEpoch, ...target, event };
  });
}

export interface PostbackAttempt {
  readonly key: number;
  readonly attempts: number;
  readonly status: number | null;
  readonly error: string | null;
}

/** A successful attempt counts even if its lease has ended and another attempt is running. */
export async function setDelivered(db: Db, { key, status }: PostbackAttempt): Promise<void> {
  await db`
    update postbacks set postback_state = 'delivered', delivered_date = clock_timestamp(), next_attempt_date = null,
      last_status = ${status}, last_error = null
    where key = ${key} and postback_state = 'waiting'`;
}

export async function setFailed(db: Db, { key, attempts, status, error }: PostbackAttempt): Promise<void> {
  await db`
    update postbacks set postback_state = 'failed', next_attempt_date = null, last_status = ${status},
      last_error = ${error}
    where key = ${key} and postback_state = 'waiting' and attempts = ${attempts}`;
}

export interface RetryPlan {
  /** The delay after the first attempt; it doubles with each further one. */
  readonly firstSeconds: number;
  readonly longestSeconds: number;
  /** Counted from the end of the event; no attempt is made later. */
  readonly withinSeconds: number;
}

/**
 * Increases with each attempt and has a random part, so that postbacks that failed together are not retried together.
 */
export async function setRetry(
  db: Db,
  { key, attempts, status, error }: PostbackAttempt,
  plan: RetryPlan,
): Promise<void> {
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

/** Releases a claimed postback whose attempt did not finish, so that any node can attempt it at once. */
export async function releasePostback(db: Db, key: number, attempts: number): Promise<void> {
  await db`
    update postbacks set next_attempt_date = now()
    where key = ${key} and postback_state = 'waiting' and attempts = ${attempts}`;
}

/** Removes old postbacks that were delivered or have failed, and returns their number. Every node sweeps. */
export async function removeOldPostbacks(db: Db, days: number, most: number): Promise<number> {
  const rows = await db`
    delete from postbacks where key = any(array(
      select key from postbacks
      where postback_state <> 'waiting' and creation_date < now() - make_interval(days => ${days})
      order by creation_date limit ${most} for update skip locked))
    returning 1`;
  return rows.length;
}

/**
 * Removes the sealed URLs of events that ended long ago: nobody calls them again. The table has only events with URLs, and
 * of the ended ones only the youngest, so reading all of it is cheap.
 */
export async function removeOldSecrets(db: Db, days: number, most: number): Promise<number> {
  const rows = await db`
    delete from event_secrets where event_id = any(array(
      select s.event_id from event_secrets s join events e on e.key = s.event_id
      where e.event_status >= 4 and e.creation_date < now() - make_interval(days => ${days})
        and not exists (select 1 from postbacks p where p.event_id = e.key and p.postback_state = 'waiting')
      limit ${most} for update of s skip locked))
    returning 1`;
  return rows.length;
}
