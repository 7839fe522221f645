import { showPath } from './file-name.ts';
import type { Journal } from './journal.ts';
import type { AgentLog } from './log.ts';
import { reasonOf } from './loop.ts';
import type { Entry, SetAsideNote } from './recording.ts';

/*
 * Recordings that the platform refused. They stay on the device and are tried again: once a day, by another version of the
 * agent or of the server, and when an event asks for it.
 */

export interface SetAsideParts {
  readonly journal: Journal;
  readonly log: AgentLog;
  readonly version: string;
  /** Undefined if it is not known. */
  readonly serverVersion: () => string | undefined;
}

export interface RefusedRecordings {
  /** Whether a recording may be sent: it is not set aside, or it is tried again. */
  mayTry(entry: Entry): boolean;
  /** Sets a recording aside, with the reason of the platform. */
  refuse(entry: Entry, error: unknown): Promise<void>;
  /** Lets all of them be tried again now, and returns their number. */
  retryAll(): number;
}

const dayMs = 86_400_000;
/** During an update, servers of two versions answer in turn. */
const leastBetweenMs = 600_000;
const longestReason = 500;

export function createRefusedRecordings(parts: SetAsideParts): RefusedRecordings {
  const { journal, log, version, serverVersion } = parts;
  const asked = new Set<string>();
  /** By a clock that nobody sets; the dates in the journal are used for refusals by former processes only. */
  const triedMs = new Map<string, number>();
  const isDue = ({ id }: Entry, aside: SetAsideNote): boolean => {
    const server = serverVersion();
    const tried = triedMs.get(id);
    const restedMs = performance.now() - (tried ?? -Infinity);
    return (
      asked.has(id) ||
      aside.agentVersion !== version ||
      (server !== undefined && server !== aside.serverVersion && restedMs >= leastBetweenMs) ||
      (tried === undefined ? Math.abs(Date.now() - aside.triedMs) >= dayMs : restedMs >= dayMs)
    );
  };
  return {
    mayTry: (entry) => entry.setAside === undefined || isDue(entry, entry.setAside),
    async refuse(entry, error) {
      const reason = reasonOf(error).slice(0, longestReason);
      const now = Date.now();
      asked.delete(entry.id);
      triedMs.set(entry.id, performance.now());
      await journal.setAside(entry, {
        reason,
        sinceMs: entry.setAside?.sinceMs ?? now,
        triedMs: now,
        agentVersion: version,
        serverVersion: serverVersion(),
      });
      if (entry.setAside?.reason !== reason)
        log.write('error', `The platform refused ${showPath(entry.path)}, which is set aside: ${reason}`);
    },
    retryAll() {
      const aside = [...journal.entries.values()].filter(({ setAside }) => setAside !== undefined);
      for (const { id } of aside) asked.add(id);
      return aside.length;
    },
  };
}
