import type { Io } from './io.ts';
import type { ProgressBars } from './progress.ts';
import { createProgress } from './progress.ts';
import { safeJson, safeText } from './safe-text.ts';
import type { Paint } from './paint.ts';
import { createPaint } from './paint.ts';
import type { Column } from './table.ts';
import { formatTable } from './table.ts';

/**
 * Everything that a command prints. Results go to standard output, all else to standard error, so that results can be
 * piped. Every text is escaped here, so that commands may pass texts of others.
 */
export interface Output {
  readonly paint: Paint;
  /** Columns of the terminal, or undefined if standard output is no terminal: then nothing is cut. */
  readonly columns: number | undefined;
  /** A line of the result. */
  say(line: string): void;
  /** A line of the result in parts, of which some are painted; each part is escaped on its own. */
  sayParts(parts: readonly LinePart[]): void;
  /** A result for programs: one line of JSON. */
  record(value: unknown): void;
  /** Rows for people, aligned and cut to the width of the terminal. */
  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): void;
  /** A line about the work, on standard error. */
  note(line: string): void;
  warn(line: string): void;
  /** Bars on a terminal that are drawn in place; lines now and then elsewhere. */
  progress(): ProgressBars;
}

export type LinePart = string | { readonly text: string; readonly paint: (text: string) => string };

export function createOutput(io: Io): Output {
  const paint = createPaint(io, io.stdout);
  const errorPaint = createPaint(io, io.stderr);
  const columns = io.stdout.isTTY ? (io.stdout.columns ?? 80) : undefined;
  const say = (line: string) => void io.stdout.write(`${line}\n`);
  const note = (line: string) => void io.stderr.write(`${line}\n`);
  return {
    paint,
    columns,
    say: (line) => say(safeText(line)),
    sayParts: (parts) => say(parts.map((part) => showPart(part)).join('')),
    record: (value) => say(safeJson(value)),
    table(declared, rows) {
      for (const line of formatTable(declared, rows, { columns, paint })) say(line);
    },
    note: (line) => note(safeText(line)),
    warn: (line) => note(`${errorPaint.yellow('Warning:')} ${safeText(line)}`),
    progress: () => createProgress(io, errorPaint),
  };
}

const showPart = (part: LinePart): string =>
  typeof part === 'string' ? safeText(part) : part.paint(safeText(part.text));
