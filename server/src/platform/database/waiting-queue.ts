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
  /** Removes the oldest that may start now. */
  takeNext(mayReserve: boolean): WaitingEntry | undefined;
  /** Whether one may start as soon as there is a connection. */
  isAnyStartable(mayReserve: boolean): boolean;
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
    takeNext(mayReserve) {
      const at = mayReserve ? 0 : entries.findIndex(({ isReservation }) => !isReservation);
      return at < 0 ? undefined : entries.splice(at, 1)[0];
    },
    isAnyStartable: (mayReserve) => entries.length > 0 && (mayReserve || entries.some((entry) => !entry.isReservation)),
    reject(error, waitedMs = -Infinity) {
      const sinceBeforeMs = performance.now() - waitedMs;
      const rejected = entries.filter(({ sinceMs }) => sinceMs < sinceBeforeMs);
      entries = entries.filter(({ sinceMs }) => sinceMs >= sinceBeforeMs);
      for (const entry of rejected) entry.reject(error);
    },
  };
}
