export type Level = 'error' | 'warning' | 'info';

export interface AgentLog {
  write(level: Level, message: string): void;
}

export interface LogLine {
  readonly level: Level;
  readonly message: string;
  readonly date: Date;
}

const mostKept = 500;

/** Writes lines to the standard error stream, and keeps the newest until the platform has them. */
export function createLog(print: (line: string) => void = (line) => void process.stderr.write(`${line}\n`)) {
  const waiting: LogLine[] = [];
  let dropped = 0;
  const write = (level: Level, message: string): void => {
    const date = new Date();
    print(`${date.toISOString()} ${level}: ${message}`);
    waiting.push({ level, message, date });
    if (waiting.length > mostKept) dropped += waiting.splice(0, waiting.length - mostKept).length;
  };
  return {
    write,
    /** The lines that the platform does not have yet, oldest first; the caller removes those that it sent. */
    waiting,
    /** The number of lines that were not kept, since the last call. */
    takeDropped(): number {
      const count = dropped;
      dropped = 0;
      return count;
    },
  };
}
