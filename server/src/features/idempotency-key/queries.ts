import { idempotencyHours } from '@earshot/contract/repetition';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import { removeExpired } from '../../platform/database/expired-rows.ts';

export interface KeptAnswer {
  readonly request: Buffer;
  readonly answer: Buffer | null;
}

const isExpired = (db: Db): Fragment => db`creation_date < now() - ${idempotencyHours} * interval '1 hour'`;

/** Whether no other transaction works with these bytes; they are this one's until it ends. Never waits. */
export async function takeDigest(tx: Db, digest: Buffer): Promise<boolean> {
  const [row] = await tx<{ isFree: boolean }[]>`
    select pg_try_advisory_xact_lock(${digest.readBigInt64BE(0)}::bigint) as "isFree"`;
  return row?.isFree === true;
}

export async function findAnswer(tx: Db, digest: Buffer): Promise<KeptAnswer | undefined> {
  const [row] = await tx<KeptAnswer[]>`
    select request, answer from idempotent_answers where digest = ${digest} and not ${isExpired(tx)}`;
  return row;
}

/** In place of one that has expired. */
export async function keepAnswer(tx: Db, digest: Buffer, { request, answer }: KeptAnswer): Promise<void> {
  await tx`
    insert into idempotent_answers (digest, request, answer) values (${digest}, ${request}, ${answer})
    on conflict (digest) do update set request = excluded.request, answer = excluded.answer, creation_date = now()`;
}

export const sweepAnswers = (db: Db): Promise<void> => removeExpired(db, 'idempotent_answers', isExpired(db));
