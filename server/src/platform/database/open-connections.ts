import type { PooledConnection } from './pooled-connection.ts';

/** The connections of a pool: open ones, of which some are idle, and those that are being closed. */
export interface OpenConnections {
  readonly open: number;
  readonly idle: number;
  list(): Iterable<PooledConnection>;
  add(connection: PooledConnection): void;
  /** The idle connection that was used last. */
  takeIdle(): PooledConnection | undefined;
  /** The connection with the fewest queries in flight that can take one more; one that is slow to answer only if all are. */
  findLeastBusy(): PooledConnection | undefined;
  /** Makes a connection idle, or closes it if it is old. Closes those that nobody has needed for a while. */
  rest(connection: PooledConnection): void;
  /** Removes a lost connection; returns whether it was open. */
  removeLost(connection: PooledConnection): boolean;
  /** Called when the socket of a connection is closed. */
  removeClosed(connection: PooledConnection): void;
  closeIdle(): void;
  /** Whether no socket is left. */
  areClosed(): boolean;
  destroyAll(error: Error): void;
}

/** A connection with more queries in flight is given no other. */
export const mostInFlight = 100;
/** A query behind one that takes longer would wait for long. */
const slowMs = 100;
/** An old connection is replaced, so that PostgreSQL frees what its process has cached. */
const connectionAgeMs = 45 * 60_000;
/** A connection that is idle for longer is closed, so that other nodes get the connections that PostgreSQL permits. */
const longestIdleMs = 10_000;
/** As many stay open, so that the next query does not wait for one. */
const fewestIdle = 2;

export function createOpenConnections(): OpenConnections {
  const open = new Set<PooledConnection>();
  /** The connection that was used last stands at the end. */
  const idle: { readonly connection: PooledConnection; readonly sinceMs: number }[] = [];
  const closing = new Set<PooledConnection>();

  function close(connection: PooledConnection): void {
    open.delete(connection);
    closing.add(connection);
    connection.end();
  }

  return {
    get open() {
      return open.size;
    },
    get idle() {
      return idle.length;
    },
    list: () => open,
    add: (connection) => void open.add(connection),
    takeIdle: () => idle.pop()?.connection,
    findLeastBusy() {
      const nowMs = performance.now();
      let found: PooledConnection | undefined;
      let isFoundSlow = true;
      for (const connection of open) {
        if (connection.isReserved || connection.inFlight >= mostInFlight) continue;
        const isSlow = nowMs - (connection.waitingSinceMs ?? nowMs) > slowMs;
        const isBetter = isSlow === isFoundSlow ? connection.inFlight < (found?.inFlight ?? Infinity) : isFoundSlow;
        if (isBetter) [found, isFoundSlow] = [connection, isSlow];
      }
      return found;
    },
    rest(connection) {
      const nowMs = performance.now();
      if (nowMs - connection.openedAtMs > connectionAgeMs) close(connection);
      else idle.push({ connection, sinceMs: nowMs });
      const unused = idle.slice(0, -fewestIdle).filter(({ sinceMs }) => nowMs - sinceMs > longestIdleMs).length;
      for (const longest of idle.splice(0, unused)) close(longest.connection);
    },
    removeLost(connection) {
      const at = idle.findIndex((entry) => entry.connection === connection);
      if (at >= 0) idle.splice(at, 1);
      const wasOpen = open.delete(connection);
      if (wasOpen) closing.add(connection);
      return wasOpen;
    },
    removeClosed: (connection) => void closing.delete(connection),
    closeIdle() {
      for (const { connection } of idle.splice(0)) close(connection);
    },
    areClosed: () => open.size + closing.size === 0,
    destroyAll(error) {
      for (const connection of [...open, ...closing]) connection.destroy(error);
    },
  };
}
