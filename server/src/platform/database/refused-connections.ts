import type { Log } from '../log.ts';

/** Tracks the connections that PostgreSQL refused because of a connection limit. */
export interface RefusedConnections {
  readonly note: (error: unknown) => void;
  /** Since the process started. */
  readonly count: () => number;
  /** PostgreSQL's message if it refused a connection within the last seconds. */
  readonly recentReason: () => string | undefined;
}

const logEveryMs = 60_000;
const recentMs = 5_000;

export function createRefusedConnections(log: Log): RefusedConnections {
  let count = 0;
  let last: { readonly atMs: number; readonly reason: string } | undefined;
  let loggedAtMs = -Infinity;
  return {
    note(error) {
      const atMs = performance.now();
      const reason = (error as Error).message;
      count += 1;
      last = { atMs, reason };
      if (atMs - loggedAtMs < logEveryMs) return;
      loggedAtMs = atMs;
      log.warn(
        { reason, refusedSinceStart: count },
        'the database accepts no further connection; requests wait for the open ones of this node. ' +
          'Raise its connection limit, or lower EARSHOT_DATABASE_CONNECTIONS on all nodes',
      );
    },
    count: () => count,
    recentReason: () => (last && performance.now() - last.atMs < recentMs ? last.reason : undefined),
  };
}
