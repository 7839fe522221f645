import { setTimeout as sleep } from 'node:timers/promises';
import type postgresDriver from 'postgres';
import { isCollision } from './collision.ts';
import { postgres } from './driver.ts';

/** A pool or a transaction. Every query takes it as its first argument, so that a transaction is always visible. */
export type Db = postgresDriver.ISql<Record<never, never>>;
export type Pool = postgresDriver.Sql;
export type Fragment = postgresDriver.Fragment;

export interface ConnectionSettings {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly username: string;
  readonly password: string;
}

export interface PoolOptions {
  readonly connections: number;
  readonly name: string;
  /** Called whenever PostgreSQL refuses a further connection; queries then wait for the open ones. */
  readonly onRefused?: ((error: unknown) => void) | undefined;
}

type DriverOptions = postgresDriver.Options<Record<string, postgresDriver.PostgresType>>;

/** Accepts the settings of the embedded server, or the URL of an external one. */
export function connect(target: ConnectionSettings | string, { connections, name, onRefused }: PoolOptions): Pool {
  const options: DriverOptions & { onrefused: PoolOptions['onRefused'] } = {
    max: connections,
    connect_timeout: 10,
    // Reconnects with backoff, 50 ms to 1 s: callers wait for the connection.
    backoff: (attempt) => Math.min(0.05 * 2 ** attempt, 1),
    onnotice: () => {},
    onrefused: onRefused,
    connection: {
      application_name: name,
      // No request needs this long; a statement that does is a fault and must not block a connection.
      statement_timeout: 30_000,
      idle_in_transaction_session_timeout: 30_000,
    },
    types: {
      // Every integer that the server issues is below 2^53, so a JavaScript number holds it exactly.
      int8: { to: 20, from: [20], parse: Number, serialize: String },
    },
  };
  const pool =
    typeof target === 'string'
      ? postgres(withoutSocket(target), { ...options, ...socketOf(target) })
      : postgres({ ...options, ...target });
  return pool;
}

// `?host=/run/postgresql` in a URL names the folder of a local socket. libpq supports this, postgres.js does not.
function socketOf(url: string): { host: string } | undefined {
  const host = new URL(url).searchParams.get('host');
  return host?.startsWith('/') ? { host } : undefined;
}

function withoutSocket(url: string): string {
  const parsed = new URL(url);
  parsed.searchParams.delete('host');
  return parsed.href;
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
      return (await db.begin((tx) => work(tx as unknown as Db))) as Result;
    } catch (error) {
      if (!isCollision(error) || attempt === mostAttempts) throw error;
      // A random delay, so that two colliding transactions do not collide again.
      await sleep(Math.random() * retryWithinMs * attempt);
    }
  }
}
