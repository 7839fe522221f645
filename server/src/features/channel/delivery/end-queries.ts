import type { Db } from '../../../platform/database/connect.ts';

export interface Attempted {
  readonly key: number;
  readonly channelID: number;
  readonly status: number | null;
}

/**
 * A success counts also if the lease has ended, or the alert was dealt with, meanwhile. It ends the pause of the channel.
 */
export async function endDelivered(db: Db, { key, channelID, status }: Attempted): Promise<void> {
  await db`
    with delivered as (
      update deliveries set state = 'delivered', end_date = clock_timestamp(), next_attempt_date = null,
        last_status = ${status}, reason = null
      where key = ${key})
    update channels set failures = 0, failing_since = null, paused_until = null, last_fault = null,
      last_delivered_date = clock_timestamp()
    where key = ${channelID}`;
}

/** Ends a message that is not sent: it failed for good, or it does not matter any more. */
export async function setEnded(
  db: Db,
  key: number,
  end: { readonly state: 'failed' | 'dropped'; readonly reason: string; readonly status?: number | null },
): Promise<void> {
  await db`
    update deliveries set state = ${end.state}, reason = ${end.reason}, end_date = clock_timestamp(),
      next_attempt_date = null, last_status = coalesce(${end.status ?? null}::int, last_status)
    where key = ${key} and state = 'waiting'`;
}

export async function planRetry(
  db: Db,
  key: number,
  retry: { readonly reason: string; readonly status: number | null; readonly afterSeconds: number },
): Promise<void> {
  await db`
    update deliveries set reason = ${retry.reason}, last_status = ${retry.status},
      next_attempt_date = now() + make_interval(secs => ${retry.afterSeconds})
    where key = ${key} and state = 'waiting'`;
}

/** As if the attempt had not been begun, so that any node can make it at once. */
export async function undoTake(db: Db, key: number): Promise<void> {
  await db`
    update deliveries set attempts = attempts - 1, next_attempt_date = now()
    where key = ${key} and state = 'waiting'`;
}

/** Nothing can be sent there any more. */
export async function switchOff(db: Db, channelID: number, fault: string): Promise<void> {
  await db`update channels set is_enabled = false, last_fault = ${fault} where key = ${channelID}`;
}

export interface FailedAttempt {
  readonly fault: string;
  /** With so many in a row, the channel fails, and pauses. */
  readonly mostFailures: number;
  readonly pauseSeconds: number;
  /** What the other side asked for; 0: nothing. */
  readonly waitSeconds: number;
}

/** Notes a failed attempt. True if the channel fails since now, which its owner is told. */
export async function noteFailure(
  db: Db,
  channelID: number,
  { fault, mostFailures, pauseSeconds, waitSeconds }: FailedAttempt,
): Promise<boolean> {
  const [row] = await db<{ isNew: boolean }[]>`
    with before as (select key, failing_since, failures from channels where key = ${channelID} for no key update)
    update channels c set failures = b.failures + 1, last_fault = ${fault},
      failing_since = case when b.failures + 1 >= ${mostFailures} then coalesce(b.failing_since, clock_timestamp()) end,
      paused_until = now() + make_interval(secs => greatest(${waitSeconds}::float8,
        case when b.failures + 1 >= ${mostFailures} then ${pauseSeconds}::float8 else 0 end))
    from before b where c.key = b.key
    returning b.failing_since is null and b.failures + 1 >= ${mostFailures} as "isNew"`;
  return row?.isNew ?? false;
}
