import { ConnectionError } from './connection-error.ts';
import type { OpenerOptions } from './connection-opener.ts';
import { createConnectionOpener } from './connection-opener.ts';
import { createOpenConnections, mostInFlight } from './open-connections.ts';
import type { ConnectionEvents, PooledConnection } from './pooled-connection.ts';
import type { WaitingEntry } from './waiting-queue.ts';
import { createWaitingQueue } from './waiting-queue.ts';

export interface SupplyOptions extends Pick<OpenerOptions, 'connections' | 'onRefused'> {
  readonly connect: (events: ConnectionEvents) => Promise<PooledConnection>;
  readonly onConnected: (() => void) | undefined;
  readonly onUnreachable: ((error: unknown) => void) | undefined;
}

/** Gives queries and transactions their connections, in the order in which they came. */
export interface ConnectionSupply {
  readonly isEnding: boolean;
  /** An idle connection, or a busy one if no other may be opened. */
  find(): PooledConnection | undefined;
  /** The entry starts when a connection can take it; for an entry without a connection from `find`. */
  wait(entry: WaitingEntry): void;
  /** Gives a connection that can take more queries its share of those that wait. */
  offer(connection: PooledConnection): void;
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

export const closedError = (code: 'CONNECTION_ENDED' | 'CONNECTION_DESTROYED'): Error =>
  new ConnectionError(code, 'the connections to the database were closed');

export function createConnectionSupply(options: SupplyOptions): ConnectionSupply {
  const { connect, onConnected, onUnreachable } = options;
  const connections = createOpenConnections();
  const waiting = createWaitingQueue();
  let ending: Promise<void> | undefined;
  let onEnded: (() => void) | undefined;

  const opener = createConnectionOpener({
    ...options,
    connect: () => connect({ onAnswered: offer, onLost, onClosed }),
    openCount: () => connections.open,
    isNeeded: () => waiting.size > 0,
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

  function offer(connection: PooledConnection): void {
    if (connection.isReserved || connection.lost) return;
    const isIdle = connection.inFlight === 0;
    for (let share = isIdle ? Math.ceil(waiting.size / (opener.connecting + 1)) : 1; share > 0; share -= 1) {
      const entry = connection.inFlight < mostInFlight ? waiting.takeNext() : undefined;
      entry?.start(connection);
      if (!entry || entry.isReservation) break;
    }
    if (connection.inFlight > 0 || connection.isReserved) return;
    connections.rest(connection);
    checkEnded();
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
    wait(entry) {
      waiting.add(entry);
      opener.openIfNeeded();
    },
    offer,
    use: () => ({ open: connections.open, idle: connections.idle, waiting: waiting.size }),
    end(timeoutMs) {
      ending ??= new Promise<void>((resolve) => {
        const timer = timeoutMs === undefined ? undefined : setTimeout(destroyAll, timeoutMs);
        onEnded = () => {
          clearTimeout(timer);
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
