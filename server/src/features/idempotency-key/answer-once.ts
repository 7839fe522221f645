import { createHash } from 'node:crypto';
import { conflict, Refusal } from '../../errors.ts';
import type { Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import { poolWithin } from '../../platform/database/pool-within.ts';
import type { AnswerOnce, OnceRequest } from '../../platform/http/serve-once.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { KeptAnswer } from './queries.ts';
import { findAnswer, keepAnswer, takeDigest } from './queries.ts';

/*
 * A request with a key is one transaction: what it does, and the answer, are committed together. So the answer is there if
 * and only if the request was done, whenever a process or a connection ends.
 *
 *     take the key ──another request has it──▶ 503
 *        └──▶ an answer is kept? ──yes──▶ the same request? ──no──▶ 409
 *                 │                              └──yes──▶ may the caller read it now? ──▶ the kept answer
 *                 └──no──▶ work, keep the answer, commit
 *
 * A refused request has done nothing and is not kept.
 */

interface OnceParts {
  readonly db: Pool;
  readonly secretBox: SecretBox;
}

export function createAnswerOnce({ db, secretBox }: OnceParts): AnswerOnce {
  const sealed = (text: string | undefined, digest: Buffer): Buffer | null =>
    text === undefined ? null : secretBox.seal(text, purposeOf(digest));
  const opened = ({ answer }: KeptAnswer, digest: Buffer): string | undefined =>
    answer === null ? undefined : secretBox.open(answer, purposeOf(digest));

  return async (once, work, requireRead) => {
    const digest = digestOf(once);
    const effects: (() => void)[] = [];
    const answer = await inTransaction(db, async (tx) => {
      effects.length = 0;
      const [isFree, kept] = await Promise.all([takeDigest(tx, digest), findAnswer(tx, digest)]);
      if (!isFree) throw inProgress();
      const joined = poolWithin(db, tx, effects);
      if (kept) {
        if (!kept.request.equals(once.request)) throw otherRequest();
        const text = opened(kept, digest);
        await requireRead(joined, text);
        return text;
      }
      const text = await work(joined);
      await keepAnswer(tx, digest, { request: once.request, answer: sealed(text, digest) });
      return text;
    });
    for (const effect of effects) effect();
    return answer;
  };
}

/** A person's sessions are one caller; each API key is another. */
const digestOf = ({ caller: { userID, apiKeyID = 0 }, operation, key }: OnceRequest): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([userID, apiKeyID, operation, key]))
    .digest();

const purposeOf = (digest: Buffer): string => `answer ${digest.toString('hex')}`;

const inProgress = (): Refusal =>
  new Refusal('unavailable', 'The first request with this Idempotency-Key is in progress; retry in a second.', {
    headers: { 'retry-after': '1' },
  });

const otherRequest = (): Refusal =>
  conflict('This Idempotency-Key was used for another request. Use a new key for each request.');
