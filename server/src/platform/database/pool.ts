import type { ClientConfig } from 'pg';
import { type Composition, createCompose } from './composition.ts';
import { ConnectionError } from './connection-error.ts';
import { createConnectionGate, isRefusedForLimit } from './connection-gate.ts';
import { openConnection, type PooledConnection } from './pooled-connection.ts';
import type { Run, Statement } from './statement.ts';

/*
 * A pool of pipelined connections. A query goes to an idle connection; if there is none, the pool opens one, up to its
 * limit; at the limit, the query is sent on the connection with the fewest queries in flight. A transaction reserves
 * its connection until it ends. If no connection can take a query, it waits.
 *
 * When PostgreSQL cannot be reached, the waiting queries are rejected, and the next attempt follows after a delay.
 */

export interface ConnectionPoolOptions {
  readonly config: ClientConfig;
  /** Whether a pooler is between: see PoolOptions. */
  readonly isPooled: boolean;
  readonly connections: number;
  readonly onRefused: ((error: unknown) => void) | undefined;
  readonly onConnected: (() => void) | undefined;
  readonly onUnreachable: ((error: unknown) => void) | undefined;
  readonly onSend: ((composition: Composition) => void) | undefined;
}

export interface ConnectionPool {
  readonly run: Run;
  runOn(connection: PooledConnection, statement: Statement): Promise<unknown>;
  /** A connection for a transaction. */
  reserve(): Promise<PooledConnection>;
  release(connection: PooledConnection): void;
  use(): PoolUse;
  /** Waits for the queries in flight, for as long as is given. */
  end(timeoutMs: number | undefined): Promise<void>;
}

export interface PoolUse {
  readonly open: number;
  readonly idle: number;
  /** Queries and transactions without a connection. */
  readonly waiting: number;
}

interface Waiting {
  readonly sinceMs: number;
  readonly isReservation: boolean;
  readonly start: (connection: PooledConnection) => void;
  readonly reject: (error: unknown) => void;
}

const mostInFlight = 100;
const firstRetryMs = 50;
const longestRetryMs = 1_000;
/** An old connection is replaced, so that PostgreSQL frees what its process has cached. */
const connectionAgeMs = 45 * 60_000;

const retryDelayMs = (failures: number): number => Math.min(firstRetryMs * 2 ** failures, longestRetryMs);

export function createConnectionPool({
  config,
  isPooled,
  connections,
  onRefused,
  onConnected,
  onUnreachable,
  onSend,
}: ConnectionPoolOptions): ConnectionPool {
  const compose = createCompose();
  const open = new Set<PooledConnection>();
  /** Those of them that have nothing to do; the one used last is used next. */
  const idle: PooledConnection[] = [];
  const closing = new Set<PooledConnection>();
  let waiting: Waiting[] = [];
  let connecting = 0;
  let failures = 0;
  let nextAttemptAtMs = -Infinity;
  let retryTimer: NodeJS.Timeout | undefined;
  let ending: Promise<void> | undefined;
  let onEnded: (() => void) | undefined;

  const gate = createConnectionGate({
    onRefused,
    isWorking: () => open.size > 0,
    rejectOlder(waitedMs, error) {
      const now = performance.now();
      rejectWaiting(error, ({ sinceMs }) => now - sinceMs > waitedMs);
    },
    tryAgain: openIfNeeded,
  });

  const isPermitted = (): boolean => open.size + connecting < connections && gate.mayOpen(connecting);
  const mayOpen = (): boolean => isPermitted() && performance.now() >= nextAttemptAtMs;

  function rejectWaiting(error: unknown, isRejected: (entry: Waiting) => boolean = () => true): void {
    const rejected = waiting.filter(isRejected);
    waiting = waiting.filter((entry) => !isRejected(entry));
    for (const entry of rejected) entry.reject(error);
    checkEnded();
  }

  function openIfNeeded(): void {
    if (waiting.length === 0 || !isPermitted()) return;
    if (performance.now() < nextAttemptAtMs) retryLater();
    else openOne();
  }

  function retryLater(): void {
    retryTimer ??= setTimeout(
      () => {
        retryTimer = undefined;
        openIfNeeded();
      },
      Math.max(0, nextAttemptAtMs - performance.now()) + 1,
    );
  }

  function openOne(): void {
    connecting += 1;
    openConnection(config, isPooled, { onAnswered: offer, onLost, onClosed }).then(opened, refused);
  }

  function opened(connection: PooledConnection): void {
    connecting -= 1;
    if (connection.lost) return failed(connection.lost);
    failures = 0;
    open.add(connection);
    onConnected?.();
    offer(connection);
    openIfNeeded();
  }

  function refused(error: unknown): void {
    connecting -= 1;
    if (isRefusedForLimit(error)) gate.refused(error);
    else failed(error);
    checkEnded();
  }

  function failed(error: unknown): void {
    nextAttemptAtMs = performance.now() + retryDelayMs(failures);
    failures += 1;
    if (open.size + connecting > 0) return openIfNeeded();
    onUnreachable?.(error);
    rejectWaiting(error);
  }

  /** Gives a connection that can take more queries its share of those that wait. */
  function offer(connection: PooledConnection): void {
    if (connection.isReserved || connection.lost) return;
    const isIdle = connection.inFlight === 0;
    for (let share = isIdle ? Math.ceil(waiting.length / (connecting + 1)) : 1; share > 0; share -= 1) {
      const entry = connection.inFlight < mostInFlight ? waiting.shift() : undefined;
      entry?.start(connection);
      if (!entry || entry.isReservation) break;
    }
    if (connection.inFlight === 0 && !connection.isReserved) rest(connection);
  }

  function rest(connection: PooledConnection): void {
    if (performance.now() - connection.openedAtMs > connectionAgeMs) close(connection);
    else idle.push(connection);
    checkEnded();
  }

  function close(connection: PooledConnection): void {
    open.delete(connection);
    closing.add(connection);
    connection.end();
  }

  function onLost(connection: PooledConnection): void {
    const at = idle.indexOf(connection);
    if (at >= 0) idle.splice(at, 1);
    if (open.delete(connection)) {
      closing.add(connection);
      nextAttemptAtMs = Math.max(nextAttemptAtMs, performance.now() + firstRetryMs);
    }
    openIfNeeded();
    checkEnded();
  }

  function onClosed(connection: PooledConnection): void {
    closing.delete(connection);
    checkEnded();
  }

  /** The connection with the fewest queries in flight. */
  function findBusy(): PooledConnection | undefined {
    let found: PooledConnection | undefined;
    for (const connection of open) {
      if (connection.isReserved || connection.inFlight >= mostInFlight) continue;
      if (!found || connection.inFlight < found.inFlight) found = connection;
    }
    return found;
  }

  function wait(entry: Omit<Waiting, 'sinceMs'>): void {
    waiting.push({ ...entry, sinceMs: performance.now() });
    openIfNeeded();
  }

  /** An idle connection, or a busy one if the pool may not open another. */
  function findConnection(): PooledConnection | undefined {
    const connection = idle.pop();
    if (connection) return connection;
    return mayOpen() ? undefined : findBusy();
  }

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

  const ended = (): Error => new ConnectionError('CONNECTION_ENDED', 'the connections to the database were closed');

  function checkEnded(): void {
    if (!ending || waiting.length > 0 || connecting > 0) return;
    for (const connection of idle.splice(0)) close(connection);
    if (open.size + closing.size === 0) onEnded?.();
  }

  function destroyAll(): void {
    const error = new ConnectionError('CONNECTION_DESTROYED', 'the connections to the database were closed');
    rejectWaiting(error);
    for (const connection of [...open, ...closing]) connection.destroy(error);
    onEnded?.();
  }

  return {
    run(statement) {
      if (ending) return Promise.reject(ended());
      try {
        const run = prepareRun(statement);
        const connection = findConnection();
        if (connection) return run(connection);
        return new Promise((resolve, reject) => {
          wait({ isReservation: false, reject, start: (free) => void run(free).then(resolve, reject) });
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
    use: () => ({ open: open.size, idle: idle.length, waiting: waiting.length }),
    async reserve() {
      if (ending) throw ended();
      const connection = findConnection();
      if (connection) {
        connection.isReserved = true;
        return connection;
      }
      return new Promise((resolve, reject) => {
        const start = (free: PooledConnection) => {
          free.isReserved = true;
          resolve(free);
        };
        wait({ isReservation: true, reject, start });
      });
    },
    release(connection) {
      connection.isReserved = false;
      offer(connection);
    },
    end(timeoutMs) {
      ending ??= new Promise<void>((resolve) => {
        const timer = timeoutMs === undefined ? undefined : setTimeout(destroyAll, timeoutMs);
        onEnded = () => {
          clearTimeout(timer);
          clearTimeout(retryTimer);
          gate.end();
          resolve();
        };
        // After `ending` is set.
        queueMicrotask(checkEnded);
      });
      return ending;
    },
  };
}
