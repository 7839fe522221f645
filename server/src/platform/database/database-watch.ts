import type { Log } from '../log.ts';
import { isConnectionLoss } from './connection-error.ts';

/*
 * Whether this node can reach its database. The only place that logs its loss and its return, one line each:
 *
 *   starting ──a connection opens──▶ reachable ──an attempt to connect fails and none is open──▶ lost
 *                                        ▲                                                         │
 *                                        └─────────────────a connection opens──────────────────────┘
 *
 * Meanwhile everything that uses the database fails. The lines of others about lost connections are left out of `log`. A
 * loss is known only when the next attempt fails, so such a line waits for a moment first. It is written if the
 * database stayed reachable: then only that connection is lost, such as the one for LISTEN if it has another address.
 */

export interface DatabaseWatch {
  /** A connection was opened. */
  readonly connected: () => void;
  /** An attempt to connect failed while no connection was open. */
  readonly unreachable: (error: unknown) => void;
  /** Why the database is lost; undefined if it is not. */
  readonly lostReason: () => string | undefined;
  /** The log of the node, without the lines of others about a lost database. */
  readonly log: Log;
}

const holdMs = 2_000;

export function createDatabaseWatch(log: Log): DatabaseWatch {
  let state: 'starting' | 'reachable' | { readonly reason: string; readonly sinceMs: number } = 'starting';
  let losses = 0;
  let backAtMs = -Infinity;

  const isLost = (): boolean => typeof state === 'object';
  const isExplained = (): boolean => isLost() || performance.now() - backAtMs < holdMs;

  const held =
    (write: Log['warn']): Log['warn'] =>
    (fields, message) => {
      if (!isConnectionLoss((fields as { error?: unknown }).error)) return write(fields, message);
      const known = losses;
      const writeIfReachable = () => {
        if (losses === known && !isLost()) write(fields, message);
      };
      if (!isExplained()) setTimeout(writeIfReachable, holdMs).unref();
    };

  return {
    connected() {
      if (typeof state === 'object') {
        backAtMs = performance.now();
        log.info({ lostSeconds: Math.round((backAtMs - state.sinceMs) / 1000) }, 'the database can be reached again');
      }
      state = 'reachable';
    },
    unreachable(error) {
      if (state !== 'reachable') return;
      const { message, code } = error as { message?: string; code?: string };
      state = { reason: message || code || 'unknown', sinceMs: performance.now() };
      losses += 1;
      const { reason } = state;
      log.error({ reason, code }, 'the database cannot be reached; requests are answered 503 until it can');
    },
    lostReason: () => (typeof state === 'object' ? state.reason : undefined),
    log: {
      info: (fields, message) => log.info(fields, message),
      warn: held((fields, message) => log.warn(fields, message)),
      error: held((fields, message) => log.error(fields, message)),
    },
  };
}
