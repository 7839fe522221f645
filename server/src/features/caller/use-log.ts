import type { Db } from '../../platform/database/connect.ts';
import type { Log } from '../../platform/log.ts';
import type { RecordUse, UseLog } from './public.ts';

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
