import type { Log } from '../log.ts';

/** What is known of connections that PostgreSQL refused because there are too many. */
export interface RefusedConnections {
  readonly note: (error: unknown) => void;
  /** Since the start. */
  readonly count: () => number;
  /** PostgreSQL's words for it, when it refused one in the last seconds. */
  readonly lately: () => string | undefined;
}

const logEveryMs = 60_000;
const latelyMs = 5_000;

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
        'the database permits no further connection: requests share those this node has. ' +
          'Raise its connection limit, or lower EARSHOT_DATABASE_CONNECTIONS on all nodes',
      );
    },
    count: () => count,
    lately: () => (last && performance.now() - last.atMs < latelyMs ? last.reason : undefined),
  };
}
