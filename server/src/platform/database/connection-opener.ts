import { createConnectionGate, isRefusedForLimit } from './connection-gate.ts';
import type { PooledConnection } from './pooled-connection.ts';

/*
 * Opens the connections of a pool, one for each query that waits, up to the pool's limit. After a failure the next
 * attempt follows with backoff, 50 ms to 1 s. After a refusal because of a connection limit, connection-gate.ts decides.
 */

export interface OpenerOptions {
  /** The most connections of the pool. */
  readonly connections: number;
  readonly connect: () => Promise<PooledConnection>;
  readonly openCount: () => number;
  /** Whether queries wait for a connection. */
  readonly isNeeded: () => boolean;
  readonly onOpened: (connection: PooledConnection) => void;
  /** Called when PostgreSQL refuses a connection because of a connection limit. */
  readonly onRefused: ((error: unknown) => void) | undefined;
  /** Called when an attempt failed while no connection is open or being opened. */
  readonly onUnreachable: (error: unknown) => void;
  /** Called after each attempt that PostgreSQL did not accept. */
  readonly onFailed: () => void;
  /** Rejects the queries that have waited longer than this. */
  readonly rejectOlder: (waitedMs: number, error: unknown) => void;
}

export interface ConnectionOpener {
  /** How many connections are being opened. */
  readonly connecting: number;
  /** Whether a connection may be opened now. */
  mayOpen(): boolean;
  openIfNeeded(): void;
  /** Delays the next attempt: called when an open connection was lost. */
  delay(): void;
  /** Ends the timers. */
  end(): void;
}

const firstRetryMs = 50;
const longestRetryMs = 1_000;

const retryDelayMs = (failures: number): number => Math.min(firstRetryMs * 2 ** failures, longestRetryMs);

export function createConnectionOpener(pool: OpenerOptions): ConnectionOpener {
  let connecting = 0;
  let failures = 0;
  let nextAttemptAtMs = -Infinity;
  let retryTimer: NodeJS.Timeout | undefined;

  const gate = createConnectionGate({
    onRefused: pool.onRefused,
    isWorking: () => pool.openCount() > 0,
    rejectOlder: pool.rejectOlder,
    tryAgain: openIfNeeded,
  });
  const isPermitted = (): boolean => pool.openCount() + connecting < pool.connections && gate.mayOpen(connecting);

  function openIfNeeded(): void {
    if (!pool.isNeeded() || !isPermitted()) return;
    if (performance.now() < nextAttemptAtMs) {
      retryTimer ??= setTimeout(retry, Math.max(0, nextAttemptAtMs - performance.now()) + 1);
      return;
    }
    connecting += 1;
    pool.connect().then(opened, refused);
  }

  function retry(): void {
    retryTimer = undefined;
    openIfNeeded();
  }

  function opened(connection: PooledConnection): void {
    connecting -= 1;
    if (connection.lost) return failed(connection.lost);
    failures = 0;
    pool.onOpened(connection);
    openIfNeeded();
  }

  function refused(error: unknown): void {
    connecting -= 1;
    if (isRefusedForLimit(error)) gate.refused(error);
    else failed(error);
    pool.onFailed();
  }

  function failed(error: unknown): void {
    nextAttemptAtMs = performance.now() + retryDelayMs(failures);
    failures += 1;
    if (pool.openCount() + connecting > 0) openIfNeeded();
    else pool.onUnreachable(error);
  }

  return {
    get connecting() {
      return connecting;
    },
    mayOpen: () => isPermitted() && performance.now() >= nextAttemptAtMs,
    openIfNeeded,
    delay() {
      nextAttemptAtMs = Math.max(nextAttemptAtMs, performance.now() + firstRetryMs);
    },
    end() {
      clearTimeout(retryTimer);
      gate.end();
    },
  };
}
