import type { AcknowledgeAlert } from '@earshot/contract/overview';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { changeableRecords } from './alert-queries.ts';

const keptDays = 30;
const sweptAtOnce = 1_000;

export async function acknowledgeRecords(
  db: Pool,
  caller: Caller,
  given: AcknowledgeAlert,
): Promise<{ count: number }> {
  const { alert, keys, isAcknowledged = true } = given;
  if (!isAcknowledged) return { count: await takeBack(db, caller, given) };
  return inTransaction(db, async (tx) => {
    const count = await putAcknowledged(tx, caller, { alert, keys, isRetried: false });
    await sweepAcknowledged(tx);
    return { count };
  });
}

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

async function takeBack(db: Db, caller: Caller, { alert, keys }: AcknowledgeAlert): Promise<number> {
  const rows = await db`
    with taken as (
      select a.alert, a.record_key
      from acknowledged_alerts a join (${changeableRecords(db, caller, alert, keys)}) r on r.key = a.record_key
      where a.alert = ${alert} order by a.record_key for update of a)
    delete from acknowledged_alerts a using taken t
    where a.alert = t.alert and a.record_key = t.record_key returning 1`;
  return rows.length;
}

const sweepAcknowledged = (tx: Db): Promise<unknown> => tx`
  delete from acknowledged_alerts a using (
    select alert, record_key from acknowledged_alerts
    where acknowledged_date < now() - make_interval(days => ${keptDays})
    order by acknowledged_date limit ${sweptAtOnce} for update skip locked) old
  where a.alert = old.alert and a.record_key = old.record_key`;
