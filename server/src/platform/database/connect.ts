import { setTimeout as sleep } from 'node:timers/promises';
import type postgresDriver from 'postgres';
import { isCollision } from './collision.ts';
import { postgres } from './driver.ts';

/** A pool or a transaction: what every query takes first, so that a transaction is always visible. */
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
  /** Told whenever PostgreSQL permits no further connection; queries wait for those that are open. */
  readonly onRefused?: ((error: unknown) => void) | undefined;
}

type DriverOptions = postgresDriver.Options<Record<string, postgresDriver.PostgresType>>;

/** Accepts the settings of the embedded server, or the URL of another. */
export function connect(target: ConnectionSettings | string, { connections, name, onRefused }: PoolOptions): Pool {
  const options: DriverOptions & { onrefused: PoolOptions['onRefused'] } = {
    max: connections,
    connect_timeout: 10,
    // A database that is away is tried again soon: callers wait behind this.
    backoff: (attempt) => Math.min(0.05 * 2 ** attempt, 1),
    onnotice: () => {},
    onrefused: onRefused,
    connection: {
      application_name: name,
      // Nothing a caller asks for takes this long; what does is a fault that must not hold a connection.
      statement_timeout: 30_000,
      idle_in_transaction_session_timeout: 30_000,
    },
    types: {
      // Every integer we issue is within 2^53, so a number holds it exactly.
      int8: { to: 20, from: [20], parse: Number, serialize: String },
    },
  };
  const pool =
    typeof target === 'string'
      ? postgres(withoutSocket(target), { ...options, ...socketOf(target) })
      : postgres({ ...options, ...target });
  return pool;
}

// `?host=/run/postgresql` in a URL names the folder of a local socket; libpq reads it, postgres.js does not.
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
 * Runs `work` in one transaction: all of it, or nothing. A transaction that PostgreSQL rolled back because it collided
 * with another one is run again, so `work` must change nothing but the database.
 */
export async function inTransaction<Result>(db: Pool, work: (tx: Db) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await db.begin((tx) => work(tx as unknown as Db))) as Result;
    } catch (error) {
      if (!isCollision(error) || attempt === mostAttempts) throw error;
      // A random delay: two transactions that collided must not meet again.
      await sleep(Math.random() * retryWithinMs * attempt);
    }
  }
}
