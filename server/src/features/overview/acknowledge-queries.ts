import type { AcknowledgeAlert } from '@earshot/contract/overview';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';
import { changeableRecords } from './alert-queries.ts';

const keptDays = 30;
const sweptAtOnce = 1_000;

interface Acknowledged extends Pick<AcknowledgeAlert, 'alert'> {
  readonly keys: readonly number[];
  /** Whether the events are enqueued again, in the same transaction. */
  readonly isRetried: boolean;
}

/** Rows are written in the order of their keys, so that concurrent requests cannot block each other. */
export async function putAcknowledged(
  tx: Db,
  caller: Caller,
  { alert, keys, isRetried }: Acknowledged,
): Promise<number> {
  const rows = await tx`
    insert into acknowledged_alerts as a (alert, record_key, device_id, since, user_id, is_retried)
    select ${alert}::text, r.key, r.device_id, r.since, ${caller.userID}::bigint, ${isRetried}
    from (${changeableRecords(tx, caller, alert, keys)}) r order by r.key
    on conflict (alert, record_key) do update set since = excluded.since, user_id = excluded.user_id,
      acknowledged_date = excluded.acknowledged_date, is_retried = a.is_retried or excluded.is_retried
    returning 1`;
  return rows.length;
}

export async function removeAcknowledged(db: Db, caller: Caller, { alert, keys }: AcknowledgeAlert): Promise<number> {
  const rows = await db`
    with chosen as (
      select a.alert, a.record_key
      from acknowledged_alerts a join (${changeableRecords(db, caller, alert, keys)}) r on r.key = a.record_key
      where a.alert = ${alert} order by a.record_key for update of a)
    delete from acknowledged_alerts a using chosen c
    where a.alert = c.alert and a.record_key = c.record_key returning 1`;
  return rows.length;
}

export const sweepAcknowledged = (tx: Db): Promise<unknown> => tx`
  delete from acknowledged_alerts a using (
    select alert, record_key from acknowledged_alerts
    where acknowledged_date < now() - make_interval(days => ${keptDays})
    order by acknowledged_date limit ${sweptAtOnce} for update skip locked) old
  where a.alert = old.alert and a.record_key = old.record_key`;

/**
 * Locks the devices, then the events, in the order of locks (docs/decisions/0020). Of two people who retry the same
 * failure, the second finds it retried.
 */
export async function lockFailed(tx: Db, caller: Caller, eventIDs: readonly number[]): Promise<readonly number[]> {
  const isGiven = tx`e.key = any(${eventIDs as number[]}::bigint[]) and e.event_status in (5, 6)`;
  await tx`
    select 1 from devices d where d.key in (select e.device_id from events e where ${isGiven})
      and ${deviceRight(tx, caller, 'write')} order by d.key for key share`;
  const locked = await tx<{ key: number }[]>`
    select e.key from events e join devices d on d.key = e.device_id
    where ${isGiven} and ${deviceRight(tx, caller, 'write')} order by e.key for no key update of e`;
  const keys = locked.map(({ key }) => key);
  const retried = await tx<{ key: number }[]>`
    select record_key as key from acknowledged_alerts
    where alert = 'failedEvents' and is_retried and record_key = any(${keys}::bigint[])`;
  const before = new Set(retried.map(({ key }) => key));
  return keys.filter((key) => !before.has(key));
}
