import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { ConnectionError } from './connection-error.ts';
import type { DatabaseTarget, HostAddress } from './connection-target.ts';
import { avoid, closeClient, openAt } from './open-client.ts';
import type { PooledConnection } from './pooled-connection.ts';

/*
 * Finds connections whose peer is gone without a word: the host lost its power, a firewall swallows packets, PostgreSQL
 * hangs. Their sockets stay open for minutes, and so would every request that waits for them.
 *
 *     answers ──no answer for 2 s──▶ suspected ──a fresh connection is asked about the pool's sessions──▶
 *         PostgreSQL works on its query       it is left alone: the limit of the statement ends it. Asked again after 2 s
 *         its session is gone, or is idle     it is destroyed: its queries are rejected
 *         no answer within 2 s                all connections of the pool are destroyed, unless one was answered meanwhile:
 *                                             then PostgreSQL is slow, not silent
 *
 * Idle connections to a host that is gone are found with the suspected ones, before a query is sent on them.
 */

// Together with the pauses at most 5 s, so that a node follows a promotion within seconds.
const silentAfterMs = 2_000;
const askWithinMs = 2_000;
const checkEveryMs = 500;
/** An answer may be on its way when PostgreSQL says that the session is idle. */
const graceMs = 500;
/** Between a node and a pooler, the numbers of sessions are the pooler's own, so only this limit tells. */
const pooledSilentAfterMs = 40_000;

export interface GuardedPool {
  readonly target: DatabaseTarget;
  readonly isPooled: boolean;
  readonly connections: () => Iterable<PooledConnection>;
}

/** Returns a function that ends the guard. */
export function startSilenceGuard({ target, isPooled, connections }: GuardedPool): () => void {
  let isAsking = false;
  /** The connections that PostgreSQL works on, and since when they were waiting when it was asked. */
  const working = new WeakMap<PooledConnection, number>();

  function isSuspected(connection: PooledConnection): boolean {
    const sinceMs = connection.waitingSinceMs;
    if (sinceMs === undefined) return false;
    return performance.now() - Math.max(sinceMs, working.get(connection) ?? -Infinity) > silentAfterMs;
  }

  async function check(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    try {
      // Each host is asked about its own sessions.
      for (const host of new Set([...connections()].filter(isSuspected).map((each) => each.host)))
        await ask(
          host,
          [...connections()].filter((each) => each.host === host),
        );
    } finally {
      isAsking = false;
    }
  }

  async function ask(host: HostAddress, all: readonly PooledConnection[]): Promise<void> {
    const before = new Map(all.map((connection) => [connection, connection.answeredCount]));
    const sessions = await findSessions(target, host, all);
    await sleep(graceMs);
    const isUnchanged = (connection: PooledConnection) => connection.answeredCount === before.get(connection);
    // An answer shows that the database is there.
    if (sessions === 'silent' && !all.every(isUnchanged)) return;
    if (sessions === 'silent') avoid(target, host);
    const judge = isPooled ? isLostBehindPooler : isLost;
    for (const connection of all.filter((each) => !each.lost && isUnchanged(each))) {
      if (judge(connection, sessions)) connection.destroy(silentError());
      else working.set(connection, performance.now());
    }
  }

  const timer = setInterval(() => void check(), checkEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}

const silentError = (): Error =>
  new ConnectionError('CONNECTION_SILENT', 'the database does not answer; its host may be gone');

/** Which sessions exist, and whether PostgreSQL works on a query of each. */
type Sessions = ReadonlyMap<number, boolean> | 'silent' | 'unknown';

function isLost({ sessionID, waitingSinceMs }: PooledConnection, sessions: Sessions): boolean {
  if (sessions === 'silent') return true;
  if (sessions === 'unknown') return false;
  const isWorking = sessions.get(sessionID);
  return isWorking === undefined || (!isWorking && waitingSinceMs !== undefined);
}

function isLostBehindPooler({ waitingSinceMs }: PooledConnection, sessions: Sessions): boolean {
  if (sessions === 'silent') return true;
  return waitingSinceMs !== undefined && performance.now() - waitingSinceMs > pooledSilentAfterMs;
}

/** `unknown`: it answers, but not this question, for example because it accepts no further connection. */
async function findSessions(
  target: DatabaseTarget,
  host: HostAddress,
  all: readonly PooledConnection[],
): Promise<Sessions> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<'silent'>((resolve) => {
    timer = setTimeout(() => resolve('silent'), askWithinMs);
  });
  try {
    return await Promise.race([askSessions(target, host, all), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

async function askSessions(
  target: DatabaseTarget,
  host: HostAddress,
  all: readonly PooledConnection[],
): Promise<Sessions> {
  let client: Client | undefined;
  try {
    // A standby answers too.
    client = await openAt({ ...target, sessionKind: 'any' }, host, { query_timeout: askWithinMs });
    const { rows } = await client.query<{ pid: number; works: boolean }>(
      `select pid, coalesce(state not like 'idle%', true) as works from pg_stat_activity where pid = any($1::int[])`,
      [all.map(({ sessionID }) => sessionID)],
    );
    return new Map(rows.map(({ pid, works }) => [pid, works]));
  } catch (error) {
    return (error as { severity?: unknown }).severity === undefined ? 'silent' : 'unknown';
  } finally {
    if (client) closeClient(client);
  }
}
