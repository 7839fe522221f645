import type { PooledConnection } from './pooled-connection.ts';

/** The connections of a pool: open ones, of which some are idle, and those that are being closed. */
export interface OpenConnections {
  readonly open: number;
  readonly idle: number;
  add(connection: PooledConnection): void;
  /** The idle connection that was used last. */
  takeIdle(): PooledConnection | undefined;
  /** The connection with the fewest queries in flight that can take one more. */
  findLeastBusy(): PooledConnection | undefined;
  /** Makes a connection idle, or closes it if it is old. */
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
/** An old connection is replaced, so that PostgreSQL frees what its process has cached. */
const connectionAgeMs = 45 * 60_000;

export function createOpenConnections(): OpenConnections {
  const open = new Set<PooledConnection>();
  const idle: PooledConnection[] = [];
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
    add: (connection) => void open.add(connection),
    takeIdle: () => idle.pop(),
    findLeastBusy() {
      let found: PooledConnection | undefined;
      for (const connection of open) {
        if (connection.isReserved || connection.inFlight >= mostInFlight) continue;
        if (!found || connection.inFlight < found.inFlight) found = connection;
      }
      return found;
    },
    rest(connection) {
      if (performance.now() - connection.openedAtMs > connectionAgeMs) close(connection);
      else idle.push(connection);
    },
    removeLost(connection) {
      const at = idle.indexOf(connection);
      if (at >= 0) idle.splice(at, 1);
      const wasOpen = open.delete(connection);
      if (wasOpen) closing.add(connection);
      return wasOpen;
    },
    removeClosed: (connection) => void closing.delete(connection),
    closeIdle() {
      for (const connection of idle.splice(0)) close(connection);
    },
    areClosed: () => open.size + closing.size === 0,
    destroyAll(error) {
      for (const connection of [...open, ...closing]) connection.destroy(error);
    },
  };
}
