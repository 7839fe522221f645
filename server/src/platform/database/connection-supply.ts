import { ConnectionError } from './connection-error.ts';
import type { OpenerOptions } from './connection-opener.ts';
import { createConnectionOpener } from './connection-opener.ts';
import { createOpenConnections, mostInFlight } from './open-connections.ts';
import type { ConnectionEvents, PooledConnection } from './pooled-connection.ts';
import type { WaitingEntry } from './waiting-queue.ts';
import { createWaitingQueue } from './waiting-queue.ts';

export interface SupplyOptions extends Pick<OpenerOptions, 'connections' | 'onRefused'> {
  readonly connect: (events: ConnectionEvents) => Promise<PooledConnection>;
  /** A query or transaction that has waited longer for a connection is rejected. */
  readonly longestWaitMs: number;
  readonly onConnected: (() => void) | undefined;
  readonly onUnreachable: ((error: unknown) => void) | undefined;
}

/** Gives queries and transactions their connections, in the order in which they came. */
export interface ConnectionSupply {
  readonly isEnding: boolean;
  /** An idle connection, or a busy one if no other may be opened. */
  find(): PooledConnection | undefined;
  /** Whether a transaction may reserve one more connection. */
  mayReserve(): boolean;
  /** The connection belongs to a transaction until it is released. */
  reserve(connection: PooledConnection): void;
  release(connection: PooledConnection): void;
  /** The entry starts when a connection can take it; for an entry without a connection from `find`. */
  wait(entry: WaitingEntry): void;
  use(): PoolUse;
  /** The open connections. */
  list(): Iterable<PooledConnection>;
  /** Waits for the queries in flight, for as long as is given. */
  end(timeoutMs: number | undefined): Promise<void>;
}

export interface PoolUse {
  readonly open: number;
  readonly idle: number;
  /** Queries and transactions without a connection. */
  readonly waiting: number;
}

export const closedError = (code: 'CONNECTION_ENDED' | 'CONNECTION_DESTROYED'): Error =>
  new ConnectionError(code, 'the connections to the database were closed');

const busyError = (waitedMs: number): Error =>
  new ConnectionError('CONNECTION_BUSY', `no connection to the database became free within ${waitedMs / 1_000} s`);

const checkWaitEveryMs = 1_000;

/**
 * Of the connections, so many are never reserved by transactions. Transactions may wait for a locked row, and then reads,
 * sign-ins and the health of the node would wait behind them.
 */
const freeShare = 0.2;

export function createConnectionSupply(options: SupplyOptions): ConnectionSupply {
  const { connect, longestWaitMs, onConnected, onUnreachable } = options;
  const connections = createOpenConnections();
  const waiting = createWaitingQueue();
  const mostReserved = options.connections - Math.floor(options.connections * freeShare);
  let reserved = 0;
  let ending: Promise<void> | undefined;
  let onEnded: (() => void) | undefined;

  const opener = createConnectionOpener({
    ...options,
    connect: () => connect({ onAnswered: offer, onLost, onClosed }),
    openCount: () => connections.open,
    isNeeded: () => waiting.isAnyStartable(mayReserve()),
    onOpened(connection) {
      connections.add(connection);
      onConnected?.();
      offer(connection);
    },
    onUnreachable(error) {
      onUnreachable?.(error);
      rejectWaiting(error);
    },
    onFailed: checkEnded,
    rejectOlder: (waitedMs, error) => rejectWaiting(error, waitedMs),
  });

  function mayReserve(): boolean {
    return reserved < mostReserved;
  }

  /** Gives a connection that can take more queries its share of those that wait. */
  function offer(connection: PooledConnection): void {
    if (connection.isReserved || connection.lost) return;
    const isIdle = connection.inFlight === 0;
    for (let share = isIdle ? Math.ceil(waiting.size / (opener.connecting + 1)) : 1; share > 0; share -= 1) {
      const entry = connection.inFlight < mostInFlight ? waiting.takeNext(mayReserve()) : undefined;
      entry?.start(connection);
      if (!entry || entry.isReservation) break;
    }
    if (connection.inFlight > 0 || connection.isReserved) return;
    connections.rest(connection);
    checkEnded();
  }

  /** A transaction may have waited only because too many were reserved, or the released connection may be lost. */
  function startReservation(): void {
    if (!waiting.isAnyStartable(mayReserve())) return;
    const idle = connections.takeIdle();
    if (idle) offer(idle);
    else opener.openIfNeeded();
  }

  function onLost(connection: PooledConnection): void {
    if (connections.removeLost(connection)) opener.delay();
    opener.openIfNeeded();
    checkEnded();
  }

  function onClosed(connection: PooledConnection): void {
    connections.removeClosed(connection);
    checkEnded();
  }

  function rejectWaiting(error: unknown, waitedMs?: number): void {
    waiting.reject(error, waitedMs);
    checkEnded();
  }

  function checkEnded(): void {
    if (!ending || waiting.size > 0 || opener.connecting > 0) return;
    connections.closeIdle();
    if (connections.areClosed()) onEnded?.();
  }

  const waitTimer = setInterval(() => {
    if (waiting.size > 0) rejectWaiting(busyError(longestWaitMs), longestWaitMs);
  }, checkWaitEveryMs);
  waitTimer.unref();

  function destroyAll(): void {
    const error = closedError('CONNECTION_DESTROYED');
    rejectWaiting(error);
    connections.destroyAll(error);
    onEnded?.();
  }

  return {
    get isEnding() {
      return ending !== undefined;
    },
    find: () => connections.takeIdle() ?? (opener.mayOpen() ? undefined : connections.findLeastBusy()),
    mayReserve,
    reserve(connection) {
      connection.isReserved = true;
      reserved += 1;
    },
    release(connection) {
      connection.isReserved = false;
      reserved -= 1;
      offer(connection);
      startReservation();
    },
    wait(entry) {
      waiting.add(entry);
      opener.openIfNeeded();
    },
    list: () => connections.list(),
    use: () => ({ open: connections.open, idle: connections.idle, waiting: waiting.size }),
    end(timeoutMs) {
      ending ??= new Promise<void>((resolve) => {
        const timer = timeoutMs === undefined ? undefined : setTimeout(destroyAll, timeoutMs);
        onEnded = () => {
          clearTimeout(timer);
          clearInterval(waitTimer);
          opener.end();
          resolve();
        };
        // After `ending` is set.
        queueMicrotask(checkEnded);
      });
      return ending;
    },
  };
}
