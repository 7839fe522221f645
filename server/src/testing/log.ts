import type { Log } from '../platform/log.ts';

export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: object;
  readonly message: string;
}

/** Keeps every line, for tests that look at what was logged. */
export function recordingLog(): Log & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const keep = (level: LogLine['level']) => (fields: object, message: string) =>
    void lines.push({ level, fields, message });
  return { lines, info: keep('info'), warn: keep('warn'), error: keep('error') };
}
