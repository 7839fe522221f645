import { createHash } from 'node:crypto';
import { Refusal } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';

/*
 * Failed sign-ins are counted by person and address together, by address, and by person. Up to the free number
 * nothing happens; each failure beyond doubles the wait before the next attempt, up to a quarter of an hour; after an
 * hour without an attempt the count begins anew.
 * The pair has the smallest allowance, so that a stranger's guesses slow the stranger, not the person; the person's
 * own is large, and only ends guessing from very many addresses at once. The count is kept in the database, so it
 * holds on every node, and an attempt is counted before it is checked, so that a burst cannot run ahead of it.
 */
const allowances = { pair: 5, address: 20, person: 100 };
const longestWaitSeconds = 900;

export interface Attempt {
  succeeded(): Promise<void>;
}

/** What is tried: a password of somebody, or a one-time link, which names nobody. */
export type Tried = { readonly email: string } | { readonly userID: number } | 'one-time link';

export async function beginAttempt(db: Pool, tried: Tried, address: string): Promise<Attempt> {
  // With its kind in the text: nobody can name a person so that the attempt counts as one of another kind.
  const person = tried === 'one-time link' ? undefined : JSON.stringify(tried);
  const subjects = [
    { subject: hashed('address', address), free: allowances.address },
    ...(person === undefined
      ? []
      : [
          { subject: hashed('pair', `${person} ${address}`), free: allowances.pair },
          { subject: hashed('person', person), free: allowances.person },
        ]),
    // In one order for everyone, or two attempts could wait for each other for ever.
  ].toSorted((a, b) => (a.subject < b.subject ? -1 : 1));

  await inTransaction(db, async (tx) => {
    for (const { subject, free } of subjects) await countAttempt(tx, subject, free);
  });
  return {
    succeeded: () =>
      forgive(
        db,
        subjects.map(({ subject }) => subject),
      ),
  };
}

const hashed = (kind: string, text: string) => `${kind}:${createHash('sha256').update(text).digest('base64url')}`;

async function countAttempt(tx: Db, subject: string, free: number): Promise<void> {
  const failures = tx`(case when a.last_attempt_date < now() - interval '1 hour' then 1 else a.failures + 1 end)`;
  const [counted] = await tx`
    insert into sign_in_attempts as a (subject, failures) values (${subject}, 1)
    on conflict (subject) do update set
      failures = ${failures},
      last_attempt_date = now(),
      blocked_until = case when ${failures} < ${free} then null
        else now() + make_interval(secs => least(power(2, least(${failures} - ${free}, 20)), ${longestWaitSeconds})) end
    where a.blocked_until is null or a.blocked_until <= now()
    returning 1`;
  if (counted) return;
  const [row] = await tx<{ seconds: number }[]>`
    select greatest(1, ceil(extract(epoch from blocked_until - now())))::int as seconds
    from sign_in_attempts where subject = ${subject}`;
  const seconds = row?.seconds ?? 1;
  throw new Refusal('tooMany', `Too many failed attempts to sign in; wait ${seconds} s and try again.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

/** One's own slips are forgotten; what an address did wrong with other people is not. */
async function forgive(db: Db, subjects: readonly string[]): Promise<void> {
  await db`
    update sign_in_attempts set
      failures = case when subject like 'pair:%' then 0 else greatest(failures - 1, 0) end,
      blocked_until = null
    where subject = any(${subjects as string[]})`;
}
