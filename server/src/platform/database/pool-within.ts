import type { Db, Pool } from './connect.ts';

/**
 * The pool, but all statements and transactions belong to the transaction `tx`: what they do is committed together, or not
 * at all. The caller runs `effects` after the commit.
 */
export const poolWithin = (pool: Pool, tx: Db, effects: (() => void)[]): Pool =>
  Object.assign(tx.bind(undefined) as unknown as Db, {
    unsafe: tx.unsafe,
    begin: async <Result>(work: (joined: Db) => PromiseLike<Result>) => work(tx),
    afterCommit: (effect: () => void) => void effects.push(effect),
    listen: pool.listen,
    use: pool.use,
    end: pool.end,
  });
