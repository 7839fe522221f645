import type { PooledConnection } from './pooled-connection.ts';

/** A query or a transaction that waits for a connection. */
export interface WaitingEntry {
  /** Whether it needs a connection for itself. */
  readonly isReservation: boolean;
  readonly start: (connection: PooledConnection) => void;
  readonly reject: (error: unknown) => void;
}

/** What a pool has no connection for; the oldest is started first. */
export interface WaitingQueue {
  readonly size: number;
  add(entry: WaitingEntry): void;
  /** Removes the oldest. */
  takeNext(): WaitingEntry | undefined;
  /** Rejects what has waited longer than this, or everything. */
  reject(error: unknown, waitedMs?: number): void;
}

export function createWaitingQueue(): WaitingQueue {
  let entries: (WaitingEntry & { readonly sinceMs: number })[] = [];
  return {
    get size() {
      return entries.length;
    },
    add: (entry) => void entries.push({ ...entry, sinceMs: performance.now() }),
    takeNext: () => entries.shift(),
    reject(error, waitedMs = -Infinity) {
      const sinceBeforeMs = performance.now() - waitedMs;
      const rejected = entries.filter(({ sinceMs }) => sinceMs < sinceBeforeMs);
      entries = entries.filter(({ sinceMs }) => sinceMs >= sinceBeforeMs);
      for (const entry of rejected) entry.reject(error);
    },
  };
}
