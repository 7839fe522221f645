import { showPath } from './file-name.ts';
import type { AgentLog, Level } from './log.ts';

/** Names each file that is left out once in the log, as long as its reason stays the same. */
export interface Notices {
  note(level: Level, path: string, reason: string): void;
  /** Ends a look: what was not noted since the last end is forgotten, and logged again if it returns. */
  endLook(): void;
}

export function createNotices(log: AgentLog): Notices {
  let former = new Map<string, string>();
  let current = new Map<string, string>();
  return {
    note(level, path, reason) {
      const isKnown = (former.get(path) ?? current.get(path)) === reason;
      current.set(path, reason);
      if (!isKnown) log.write(level, `${showPath(path)} ${reason}`);
    },
    endLook() {
      former = current;
      current = new Map();
    },
  };
}

/** Why a file cannot be read, and what to do. */
export function describeError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'vanished before it was read.';
  if (code === 'EACCES' || code === 'EPERM')
    return 'cannot be read: the user of this agent has no permission. Let it read this.';
  return `cannot be read (${code ?? message}); it is tried again.`;
}
