import type { ClientConfig } from 'pg';
import type { Composed, Composition } from './composition.ts';
import { createCompose } from './composition.ts';
import type { DatabaseTarget } from './connection-target.ts';
import type { ConnectionSupply, SupplyOptions } from './connection-supply.ts';
import { closedError, createConnectionSupply } from './connection-supply.ts';
import type { PooledConnection } from './pooled-connection.ts';
import { openConnection } from './pooled-connection.ts';
import { startSilenceGuard } from './silence-guard.ts';
import type { Run, Statement } from './statement.ts';

/*
 * A pool of pipelined connections. A read goes to an idle connection; if there is none, the pool opens one, up to its limit;
 * at the limit, it is sent on the connection with the fewest queries in flight. What may wait for a locked row reserves its
 * connection until it ends, so that nothing is queued behind it: a transaction, and a statement that changes or locks rows. A
 * fifth of the connections are left to reads. If no connection can take a query, it waits.
 *
 * When PostgreSQL cannot be reached, the waiting queries are rejected, and the next attempt follows after a delay.
 *
 *     pool: runs statements
 *       connection-supply: gives each its connection
 *         open-connections: open, idle, closing     waiting-queue: without a connection
 *         connection-opener: when to open another   connection-gate: after PostgreSQL refused one
 *     silence-guard: destroys connections to a host that is gone
 */

export interface ConnectionPoolOptions extends Omit<SupplyOptions, 'connect'> {
  readonly target: DatabaseTarget;
  readonly config: ClientConfig;
  /** Whether a pooler is between: see PoolOptions. */
  readonly isPooled: boolean;
  readonly onSend: ((composition: Composition) => void) | undefined;
}

export interface ConnectionPool extends Pick<ConnectionSupply, 'use' | 'end'> {
  readonly run: Run;
  runOn(connection: PooledConnection, statement: Statement): Promise<unknown>;
  /** A connection for a transaction. */
  reserve(): Promise<PooledConnection>;
  release(connection: PooledConnection): void;
}

interface Sending {
  /** Whether it may wait for a row that a transaction has locked. */
  readonly mayWait: boolean;
  readonly on: (connection: PooledConnection) => Promise<unknown>;
}

export function createConnectionPool(given: ConnectionPoolOptions): ConnectionPool {
  const { target, config, isPooled, onSend, ...options } = given;
  const compose = createCompose();
  const supply = createConnectionSupply({
    ...options,
    connect: (events) => openConnection(target, config, isPooled, events),
  });
  const endGuard = startSilenceGuard({ target, isPooled, connections: () => supply.list() });

  /** Throws if the statement cannot be sent. */
  function prepare(statement: Statement): Sending {
    if (statement.isPlain && statement.args.length === 0) {
      const [text = ''] = statement.strings;
      onSend?.({ composed: { text, types: [] }, values: [] });
      return { mayWait: true, on: (connection) => connection.runText(text) };
    }
    const composition = compose(statement);
    onSend?.(composition);
    return { mayWait: mayWaitForRows(composition.composed), on: (connection) => connection.run(composition) };
  }

  function reserve(): Promise<PooledConnection> {
    return new Promise((resolve, reject) => {
      const start = (free: PooledConnection) => {
        supply.reserve(free);
        resolve(free);
      };
      const connection = supply.mayReserve() ? supply.find() : undefined;
      if (connection) start(connection);
      else supply.wait({ isReservation: true, reject, start });
    });
  }

  async function runAlone({ on }: Sending): Promise<unknown> {
    const connection = await reserve();
    try {
      return await on(connection);
    } finally {
      supply.release(connection);
    }
  }

  return {
    run(statement) {
      if (supply.isEnding) return Promise.reject(closedError('CONNECTION_ENDED'));
      try {
        const sending = prepare(statement);
        if (sending.mayWait) return runAlone(sending);
        const connection = supply.find();
        if (connection) return sending.on(connection);
        return new Promise((resolve, reject) => {
          supply.wait({ isReservation: false, reject, start: (free) => void sending.on(free).then(resolve, reject) });
        });
      } catch (error) {
        return Promise.reject(error);
      }
    },
    runOn(connection, statement) {
      try {
        return prepare(statement).on(connection);
      } catch (error) {
        return Promise.reject(error);
      }
    },
    async reserve() {
      if (supply.isEnding) throw closedError('CONNECTION_ENDED');
      return reserve();
    },
    release: (connection) => supply.release(connection),
    use: () => supply.use(),
    end: (timeoutMs) => supply.end(timeoutMs).finally(endGuard),
  };
}

/** Also what waits for a standby at its commit: a message in the log. */
const changing = /\b(?:insert|update|delete|merge|truncate|lock|for\s+(?:key\s+)?share)\b|pg_advisory|pg_logical/i;
const known = new WeakMap<Composed, boolean>();

/** By its text: a word in a comment or a name reserves a connection without need, and does no harm. */
function mayWaitForRows(composed: Composed): boolean {
  let mayWait = known.get(composed);
  if (mayWait === undefined) known.set(composed, (mayWait = changing.test(composed.text)));
  return mayWait;
}
