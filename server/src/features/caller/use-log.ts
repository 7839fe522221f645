import type { Db } from '../../platform/database/connect.ts';
import type { Log } from '../../platform/log.ts';
import type { Caller } from '../../platform/http/caller.ts';

/** Collects which credentials were used and writes them in batches, so that a use needs no query of its own. */
export interface UseLog {
  note(caller: Caller): void;
  /** Writes the collected uses. Readers of `lastAccessDate` call it first. */
  flush(): Promise<void>;
}

export interface UsedCredentials {
  readonly apiKeyIDs: readonly number[];
  readonly sessionIDs: readonly number[];
}

/** Writes when the credentials of one feature were used last. */
export type RecordUse = (db: Db, used: UsedCredentials) => Promise<void>;

export function createUseLog(db: Db, log: Log, recorders: readonly RecordUse[]): UseLog {
  let apiKeys = new Set<number>();
  let sessions = new Set<number>();
  return {
    note({ apiKeyID, sessionID }) {
      if (apiKeyID !== undefined) apiKeys.add(apiKeyID);
      if (sessionID !== undefined) sessions.add(sessionID);
    },
    async flush() {
      if (apiKeys.size + sessions.size === 0) return;
      const used = { apiKeyIDs: [...apiKeys], sessionIDs: [...sessions] };
      apiKeys = new Set();
      sessions = new Set();
      try {
        for (const record of recorders) await record(db, used);
      } catch (error) {
        log.warn({ error }, 'recording the use of credentials failed');
      }
    },
  };
}
