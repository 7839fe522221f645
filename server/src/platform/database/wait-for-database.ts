import { setTimeout as sleep } from 'node:timers/promises';
import { createFailureLog } from '../failure-log.ts';
import type { Log } from '../log.ts';
import type { Pool } from './connect.ts';
import { ConnectionError } from './connection-error.ts';
import { orAborted } from './embedded/waiting.ts';

const databaseWaitMs = 60_000;
const standbyText =
  'it is a standby, which accepts no changes. Name the primary, or all servers of the cluster with target_session_attrs=read-write';

/** Waits for a database that starts later. A wrong password is not retried. */
export async function waitForDatabase(db: Pool, log: Log, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + databaseWaitMs;
  const failures = createFailureLog((fields, text) => log.warn(fields, text));
  for (;;) {
    try {
      const [server] = await orAborted(db<{ isStandby: boolean }[]>`select pg_is_in_recovery() as "isStandby"`, signal);
      if (server?.isStandby !== true) return;
      throw new ConnectionError('CONNECTION_READ_ONLY', standbyText);
    } catch (error) {
      signal.throwIfAborted();
      const { code, message } = error as { code?: string; message?: string };
      const isHopeless = code !== undefined && /^(28|3D)/.test(code);
      if (isHopeless || performance.now() > deadline) {
        const advice =
          code === '53300'
            ? ': all connections that it permits are taken. Raise its limit, or lower EARSHOT_DATABASE_CONNECTIONS on the other nodes'
            : '';
        throw new Error(`the database cannot be used: ${message || code}${advice}`, { cause: error });
      }
      failures.failed({ code }, 'waiting for the database');
      await sleep(500, undefined, { signal });
    }
  }
}
