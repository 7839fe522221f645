import type { Log } from './log.ts';

/** Logs a repeated failure once, then every minute until it succeeds. */
export interface FailureLog {
  failed(fields: object, message: string): void;
  succeeded(): void;
}

const everyMs = 60_000;

export function createFailureLog(write: Log['warn']): FailureLog {
  let loggedAtMs = -Infinity;
  let unlogged = 0;
  return {
    failed(fields, message) {
      unlogged += 1;
      const now = performance.now();
      if (now - loggedAtMs < everyMs) return;
      write(unlogged > 1 ? { ...fields, failures: unlogged } : fields, message);
      loggedAtMs = now;
      unlogged = 0;
    },
    succeeded() {
      loggedAtMs = -Infinity;
      unlogged = 0;
    },
  };
}
