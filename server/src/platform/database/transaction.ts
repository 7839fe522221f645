import type { ConnectionPool } from './pool.ts';
import type { PooledConnection } from './pooled-connection.ts';
import { transactionAborted } from './pooled-connection.ts';
import type { Db } from './statement.ts';
import { createDb } from './statement.ts';

/**
 * Runs `work` in a transaction on a connection of its own. The transaction is rolled back if `work` rejects, and also if
 * one of its statements failed and `work` ignored that. If the connection is lost, every further statement is refused.
 */
export async function runTransaction<Result>(
  pool: ConnectionPool,
  work: (tx: Db) => PromiseLike<Result>,
): Promise<Result> {
  const connection = await pool.reserve();
  let isOver = false;
  const tx = createDb((statement) =>
    isOver
      ? Promise.reject(connection.lost ?? new Error('the transaction of this statement has ended'))
      : pool.runOn(connection, statement),
  );
  const lost = new Promise<never>((_, reject) => (connection.onLost = reject));
  lost.catch(() => {});
  try {
    await connection.runText('begin');
    // Queries that were sent before the transaction may have failed.
    connection.firstError = undefined;
    const result = await Promise.race([work(tx), lost]);
    if (connection.firstError !== undefined) throw connection.firstError;
    isOver = true;
    await connection.runText('commit');
    return result;
  } catch (error) {
    isOver = true;
    await rollBack(connection);
    const isConsequence = (error as { code?: unknown } | undefined)?.code === transactionAborted;
    throw (isConsequence && connection.firstError) || error;
  } finally {
    connection.onLost = undefined;
    pool.release(connection);
  }
}

/** A connection whose transaction cannot be ended must not be used again. */
async function rollBack(connection: PooledConnection): Promise<void> {
  if (connection.lost) return;
  try {
    await connection.runText('rollback');
    if (connection.isInTransaction()) throw new Error('the transaction could not be rolled back');
  } catch (error) {
    connection.destroy(error as Error);
  }
}
