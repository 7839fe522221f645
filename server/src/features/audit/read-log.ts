import { readEntryMinutes } from '@earshot/contract/audit';
import type { Pool } from '../../platform/database/connect.ts';
import type { Log } from '../../platform/log.ts';
import type { NotedRead } from './queries.ts';
import { insertReads } from './queries.ts';
import type { Content } from '../../platform/http/answer/send-content.ts';
import type { AuditActor, ReadAction } from './record-queries.ts';

/**
 * Collects reads of sound and words and writes them in batches, so that a read needs no query of its own. A node that
 * dies loses those of the last seconds.
 */
export interface ReadLog {
  /** An unknown reader, such as one with a signed address, is undefined. */
  note(actor: AuditActor | undefined, action: ReadAction, recordID: number, deviceID: number | null | undefined): void;
  /** Writes the collected reads. Readers of the trail call it first. */
  flush(): Promise<void>;
}

/** More reads than this between two flushes are written at the next flushes, the oldest first. */
const mostAtOnce = 5_000;
/** While the database is away, reads are kept up to this number; later ones are counted and reported. */
const mostKept = 50_000;

export function createReadLog(db: Pool, log: Log, now: () => number = Date.now): ReadLog {
  let waiting: NotedRead[] = [];
  let lost = 0;
  let flushing: Promise<void> | undefined;
  /** When each credential last read each record, so that range requests of one playback are noted once. */
  const lately = new Map<string, number>();
  const windowMs = readEntryMinutes * 60_000;

  const forgetOld = () => {
    for (const [name, at] of lately) {
      if (at > now() - windowMs) return;
      lately.delete(name);
    }
  };

  const write = async (): Promise<void> => {
    forgetOld();
    while (waiting.length > 0) {
      const batch = waiting.slice(0, mostAtOnce);
      await insertReads(db, batch);
      waiting = waiting.slice(batch.length);
    }
    if (lost > 0) log.warn({ lost }, 'reads were not recorded in the audit trail, because the database was away');
    lost = 0;
  };

  return {
    note(actor, action, recordID, deviceID) {
      const { userID = '', sessionID = '', apiKeyID = '' } = actor ?? {};
      const name = `${userID} ${sessionID} ${apiKeyID} ${action} ${recordID}`;
      const at = lately.get(name);
      if (at !== undefined && at > now() - windowMs) return;
      if (waiting.length >= mostKept) {
        lost++;
        return;
      }
      lately.delete(name);
      lately.set(name, now());
      waiting.push({ actor, action, recordID, deviceID: deviceID ?? null, atMs: now() });
    },
    flush() {
      flushing ??= write().finally(() => (flushing = undefined));
      return flushing;
    },
  };
}

/** Content that calls `note` when its bytes are sent: not for HEAD, and not if the client has them already. */
export const noteWhenRead = (content: Content, note: () => void): Content => ({
  ...content,
  read(range) {
    note();
    return content.read(range);
  },
});
