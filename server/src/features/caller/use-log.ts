import type { Db } from '../../platform/database/connect.ts';
import type { Log } from '../../platform/log.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { recordUse } from './queries.ts';

/** Gathers which credentials were used, and writes them together: a use costs no query of its own. */
export interface UseLog {
  note(caller: Caller): void;
  /** Writes what was gathered; readers of `lastAccessDate` call it first. */
  flush(): Promise<void>;
}

export function createUseLog(db: Db, log: Log): UseLog {
  let apiKeys = new Set<number>();
  let sessions = new Set<number>();
  return {
    note({ apiKeyID, sessionID }) {
      if (apiKeyID !== undefined) apiKeys.add(apiKeyID);
      if (sessionID !== undefined) sessions.add(sessionID);
    },
    async flush() {
      if (apiKeys.size + sessions.size === 0) return;
      const [keys, people] = [[...apiKeys], [...sessions]];
      apiKeys = new Set();
      sessions = new Set();
      try {
        await recordUse(db, keys, people);
      } catch (error) {
        log.warn({ error }, 'the use of credentials could not be recorded');
      }
    },
  };
}
