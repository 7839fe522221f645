import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import { isCollision } from './collision.ts';
import type { Composition } from './composition.ts';
import type { ConnectionSettings } from './connection-target.ts';
import { readTarget } from './connection-target.ts';
import type { PoolUse } from './connection-supply.ts';
import { createConnectionPool } from './pool.ts';
import type { Db } from './statement.ts';
import { createDb } from './statement.ts';
import type { NotificationSubscription } from './subscription.ts';
import { subscribe } from './subscription.ts';
import { runTransaction } from './transaction.ts';

export type { ConnectionSettings } from './connection-target.ts';
export type { Db, Fragment, Row } from './statement.ts';

export interface Pool extends Db {
  /** Runs `work` in one transaction. */
  begin<Result>(work: (tx: Db) => PromiseLike<Result>): Promise<Result>;
  /** Runs `effect` when everything done so far is committed: at once, unless this pool is a transaction (`poolWithin`). */
  afterCommit(effect: () => void): void;
  /** Calls `onMessage` for each notification; `onSubscribed` on every connect, because messages may have been missed. */
  listen(channel: string, onMessage: (payload: string) => void, onSubscribed: () => void): Promise<void>;
  /** How the connections are used at this moment. */
  use(): PoolUse;
  /** Refuses new queries and waits for those in flight, then closes; after the timeout (in seconds) it does not wait. */
  end(options?: { readonly timeout?: number }): Promise<void>;
}

export interface PoolOptions {
  readonly connections: number;
  readonly name: string;
  /** Called whenever PostgreSQL refuses a further connection; queries then wait for the open ones. */
  readonly onRefused?: ((error: unknown) => void) | undefined;
  /** Called whenever a connection is opened. */
  readonly onConnected?: (() => void) | undefined;
  /** Called whenever an attempt to connect fails while no connection is open. */
  readonly onUnreachable?: ((error: unknown) => void) | undefined;
  /** Called with each statement, to trace them. */
  readonly onSend?: ((composition: Composition) => void) | undefined;
  /**
   * Whether a pooler gives each transaction any of its connections to PostgreSQL: statements are not prepared by name,
   * and the timeouts are settings of the role.
   */
  readonly isPooled?: boolean;
  /** No request needs this long; a statement that does is a fault and must not block a connection. */
  readonly statementTimeoutMs?: number;
}

const keepAliveAfterMs = 60_000;
/** Whoever waits longer for a locked row is told to try again, and its connection serves others. */
const longestLockMs = 10_000;

/** Accepts the settings of the embedded server, or the URL of an external one. */
export function connect(target: ConnectionSettings | string, options: PoolOptions): Pool {
  const { connections, name, isPooled = false, statementTimeoutMs = 30_000 } = options;
  const { onRefused, onConnected, onUnreachable, onSend } = options;
  const databaseTarget = readTarget(target);
  const config: ClientConfig = {
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    application_name: name,
    // PgBouncer refuses a connection with such settings.
    ...(isPooled
      ? {}
      : {
          statement_timeout: statementTimeoutMs,
          lock_timeout: longestLockMs,
          idle_in_transaction_session_timeout: 30_000,
        }),
  };
  const pool = createConnectionPool({
    target: databaseTarget,
    config,
    connections,
    longestWaitMs: statementTimeoutMs,
    isPooled,
    onRefused,
    onConnected,
    onUnreachable,
    onSend,
  });
  const subscriptions: NotificationSubscription[] = [];
  let isEnded = false;
  return Object.assign(createDb(pool.run), {
    use: () => pool.use(),
    begin: <Result>(work: (tx: Db) => PromiseLike<Result>) => runTransaction(pool, work),
    afterCommit: (effect: () => void) => effect(),
    async listen(channel: string, onMessage: (payload: string) => void, onSubscribed: () => void) {
      const subscription = await subscribe(databaseTarget, config, { channel, onMessage, onSubscribed });
      subscriptions.push(subscription);
      if (isEnded) subscription.end();
    },
    end({ timeout }: { readonly timeout?: number } = {}) {
      isEnded = true;
      for (const subscription of subscriptions) subscription.end();
      return pool.end(timeout === undefined ? undefined : timeout * 1_000);
    },
  });
}

const mostAttempts = 4;
const retryWithinMs = 50;

/**
 * Runs `work` in one transaction. A transaction that PostgreSQL rolled back because of a concurrent one is retried, so
 * `work` must have no effect outside the database.
 */
export async function inTransaction<Result>(db: Pool, work: (tx: Db) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.begin(work);
    } catch (error) {
      if (!isCollision(error) || attempt === mostAttempts) throw error;
      // A random delay, so that two colliding transactions do not collide again.
      await sleep(Math.random() * retryWithinMs * attempt);
    }
  }
}
