import type { ClientConfig } from 'pg';
import type { Composition } from './composition.ts';
import { createCompose } from './composition.ts';
import type { DatabaseTarget } from './connection-target.ts';
import type { ConnectionSupply, SupplyOptions } from './connection-supply.ts';
import { closedError, createConnectionSupply } from './connection-supply.ts';
import type { PooledConnection } from './pooled-connection.ts';
import { openConnection } from './pooled-connection.ts';
import { startSilenceGuard } from './silence-guard.ts';
import type { Run, Statement } from './statement.ts';

/*
 * A pool of pipelined connections. A query goes to an idle connection; if there is none, the pool opens one, up to its
 * limit; at the limit, the query is sent on the connection with the fewest queries in flight. A transaction reserves
 * its connection until it ends; a fifth of the connections are left to queries. If no connection can take a query, it waits.
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

export function createConnectionPool(given: ConnectionPoolOptions): ConnectionPool {
  const { target, config, isPooled, onSend, ...options } = given;
  const compose = createCompose();
  const supply = createConnectionSupply({
    ...options,
    connect: (events) => openConnection(target, config, isPooled, events),
  });
  const endGuard = startSilenceGuard({ target, isPooled, connections: () => supply.list() });

  /** Throws if the statement cannot be sent. */
  function prepareRun(statement: Statement): (connection: PooledConnection) => Promise<unknown> {
    if (statement.isPlain && statement.args.length === 0) {
      const [text = ''] = statement.strings;
      onSend?.({ composed: { text, types: [] }, values: [] });
      return (connection) => connection.runText(text);
    }
    const composition = compose(statement);
    onSend?.(composition);
    return (connection) => connection.run(composition);
  }

  return {
    run(statement) {
      if (supply.isEnding) return Promise.reject(closedError('CONNECTION_ENDED'));
      try {
        const run = prepareRun(statement);
        const connection = supply.find();
        if (connection) return run(connection);
        return new Promise((resolve, reject) => {
          supply.wait({ isReservation: false, reject, start: (free) => void run(free).then(resolve, reject) });
        });
      } catch (error) {
        return Promise.reject(error);
      }
    },
    runOn(connection, statement) {
      try {
        return prepareRun(statement)(connection);
      } catch (error) {
        return Promise.reject(error);
      }
    },
    async reserve() {
      if (supply.isEnding) throw closedError('CONNECTION_ENDED');
      return new Promise((resolve, reject) => {
        const start = (free: PooledConnection) => {
          supply.reserve(free);
          resolve(free);
        };
        const connection = supply.mayReserve() ? supply.find() : undefined;
        if (connection) start(connection);
        else supply.wait({ isReservation: true, reject, start });
      });
    },
    release: (connection) => supply.release(connection),
    use: () => supply.use(),
    end: (timeoutMs) => supply.end(timeoutMs).finally(endGuard),
  };
}
