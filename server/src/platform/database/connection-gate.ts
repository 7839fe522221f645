/*
 * Limits new connections of a pool after PostgreSQL refused one because of a connection limit (SQLSTATE 53300).
 *
 *     open ──refused──▶ closed (0.25 s, doubling to 10 s) ──▶ one attempt at a time ──60 s without refusal──▶ open
 *
 * While the gate is closed, the pool opens no connection: all queries wait for the open connections. If there are none,
 * the pool retries every 250 ms, and a query that has waited for `longestWaitMs` is rejected with PostgreSQL's error.
 */

const firstDelayMs = 250;
const longestDelayMs = 10_000;
const longestWaitMs = 10_000;
const withoutRefusalMs = 60_000;

export const isRefusedForLimit = (error: unknown): boolean => (error as { code?: unknown }).code === '53300';

export interface GatedPool {
  /** Whether a connection is open. */
  readonly isWorking: () => boolean;
  /** Rejects the queries that have waited longer than this. */
  readonly rejectOlder: (waitedMs: number, error: unknown) => void;
  /** Opens a connection if queries wait. */
  readonly tryAgain: () => void;
  readonly onRefused: ((error: unknown) => void) | undefined;
}

export interface ConnectionGate {
  /** Whether the pool may open one more connection while it opens this many. */
  mayOpen(connecting: number): boolean;
  refused(error: unknown): void;
  /** Ends the timer. */
  end(): void;
}

export function createConnectionGate(pool: GatedPool): ConnectionGate {
  let refusedAtMs = -Infinity;
  let delayMs = firstDelayMs;
  let timer: NodeJS.Timeout | undefined;

  const isRecovered = () => performance.now() - refusedAtMs > withoutRefusalMs;

  return {
    mayOpen: (connecting) => isRecovered() || (timer === undefined && connecting === 0),
    refused(error) {
      delayMs = isRecovered() ? firstDelayMs : Math.min(2 * delayMs, longestDelayMs);
      refusedAtMs = performance.now();
      pool.onRefused?.(error);
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          timer = undefined;
          pool.rejectOlder(longestWaitMs, error);
          pool.tryAgain();
        },
        pool.isWorking() ? delayMs : firstDelayMs,
      );
    },
    end: () => clearTimeout(timer),
  };
}
