import type { Db } from '../../platform/database/connect.ts';

export interface LockedCounter {
  readonly subject: string;
  readonly failures: number;
  /** Null: no wait is required. Zero or less: the wait is over and not used yet. */
  readonly waitSeconds: number | null;
}

/** Reads and locks the counters until the transaction ends. Counters without an attempt for an hour restart at zero. */
export async function lockCounters(tx: Db, subjects: readonly string[]): Promise<LockedCounter[]> {
  const lapsed = tx`a.last_attempt_date < now() - interval '1 hour'`;
  // In a fixed order, so that two attempts never deadlock.
  return tx<LockedCounter[]>`
    insert into sign_in_attempts as a (subject, failures)
    select s, 0 from unnest(${subjects as string[]}::text[]) as s order by s
    on conflict (subject) do update set
      failures = case when ${lapsed} then 0 else a.failures end,
      blocked_until = case when ${lapsed} then null else a.blocked_until end
    returning subject, failures, extract(epoch from blocked_until - now())::float8 as "waitSeconds"`;
}

export async function storeCounters(tx: Db, counters: readonly LockedCounter[]): Promise<void> {
  if (counters.length === 0) return;
  await tx`
    update sign_in_attempts a set failures = n.failures, last_attempt_date = now(),
      blocked_until = now() + make_interval(secs => n.wait_seconds)
    from unnest(${counters.map(({ subject }) => subject)}::text[], ${counters.map(({ failures }) => failures)}::int[],
      ${counters.map(({ waitSeconds }) => waitSeconds)}::float8[]) as n (subject, failures, wait_seconds)
    where a.subject = n.subject`;
}

/** Resets the counters after a correct password. */
export async function forgetFailures(db: Db, subject: string): Promise<void> {
  await db`delete from sign_in_attempts where subject = ${subject}`;
}

/** Takes one attempt back and ends its wait; the wait is kept if at least `keepWaitAt` failures are left. */
export async function withdrawAttempt(db: Db, subject: string, keepWaitAt?: number): Promise<void> {
  await db`
    update sign_in_attempts set failures = greatest(failures - 1, 0),
      blocked_until = case when blocked_until > now() and failures - 1 < ${keepWaitAt ?? mostFailures} then now()
        else blocked_until end
    where subject = ${subject}`;
}
const mostFailures = 2_147_483_647;

/** The failures of strangers with one account. One failure is subtracted each minute, and the count has a maximum. */
const mostAccountFailures = 60;
const stillCounted = (db: Db) =>
  db`greatest(0, a.failures - floor(extract(epoch from now() - a.last_attempt_date) / 60)::int)`;

export async function findAccountFailures(db: Db, subject: string): Promise<number> {
  const [row] = await db<{ failures: number }[]>`
    select ${stillCounted(db)} as failures from sign_in_attempts a where subject = ${subject}`;
  return row?.failures ?? 0;
}

export async function countAccountFailure(db: Db, subject: string): Promise<void> {
  await db`
    insert into sign_in_attempts as a (subject, failures) values (${subject}, 1)
    on conflict (subject) do update set
      failures = least(${mostAccountFailures}, ${stillCounted(db)} + 1), last_attempt_date = now()`;
}
