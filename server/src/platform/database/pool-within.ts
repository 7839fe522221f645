import type { Db, Pool } from './connect.ts';

/**
 * The pool, but all statements and transactions belong to the transaction `tx`: what they do is committed together, or not
 * at all. The caller runs `effects` after the commit.
 */
export const poolWithin = (pool: Pool, tx: Db, effects: (() => void)[]): Pool =>
  Object.assign(tx.bind(undefined), {
    unsafe: (...given: Parameters<Db['unsafe']>) => tx.unsafe(...given),
    begin: async <Result>(work: (joined: Db) => PromiseLike<Result>) => work(tx),
    afterCommit: (effect: () => void) => void effects.push(effect),
    listen: (...given: Parameters<Pool['listen']>) => pool.listen(...given),
    use: () => pool.use(),
    end: (...given: Parameters<Pool['end']>) => pool.end(...given),
  });
