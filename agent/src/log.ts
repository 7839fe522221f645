import { randomUUID } from 'node:crypto';

export type Level = 'error' | 'warning' | 'info';

export interface AgentLog {
  write(level: Level, message: string): void;
}

export interface LogLine {
  readonly level: Level;
  readonly message: string;
  readonly date: Date;
  /** The platform stores the line once, even if it is sent again because an answer was lost. */
  readonly key: string;
}

const mostKept = 500;
/** Reasons may contain the answers of others. */
const longestMessage = 4_000;

/** Writes lines to the standard error stream, and keeps the newest until the platform has them. */
export function createLog(print: (line: string) => void = (line) => void process.stderr.write(`${line}\n`)) {
  const waiting: LogLine[] = [];
  let dropped = 0;
  let lastError: LogLine | undefined;
  const write = (level: Level, text: string): void => {
    const message = text.slice(0, longestMessage);
    const date = new Date();
    print(`${date.toISOString()} ${level}: ${message}`);
    const line = { level, message, date, key: randomUUID() };
    waiting.push(line);
    if (level !== 'info') lastError = line;
    if (waiting.length > mostKept) dropped += waiting.splice(0, waiting.length - mostKept).length;
  };
  const remove = (line: LogLine): void => {
    const at = waiting.indexOf(line);
    if (at >= 0) waiting.splice(at, 1);
  };
  return {
    write,
    /** The lines that the platform does not have yet, oldest first. */
    waiting: waiting as readonly LogLine[],
    /** The platform has it. */
    remove,
    /** The platform does not take it. */
    drop(line: LogLine): void {
      remove(line);
      dropped += 1;
    },
    /** The newest error or warning. */
    get lastError() {
      return lastError;
    },
    /** The number of lines that were not kept, since the last call. */
    takeDropped(): number {
      const count = dropped;
      dropped = 0;
      return count;
    },
  };
}
