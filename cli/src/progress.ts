import type { Io } from './io.ts';
import type { Paint } from './paint.ts';
import { safeText } from './safe-text.ts';
import { cutText, padText } from './text-width.ts';

/** Bars of work in progress, on standard error. */
export interface ProgressBars {
  /** Adds or changes a bar. `done` is from 0 to 1, or undefined if it is not known. */
  set(name: string, done: number | undefined, text?: string): void;
  /** Removes a bar and prints a line in its place. */
  end(name: string, line?: string): void;
  /** A line above the bars. */
  note(line: string): void;
  /** Removes all bars. */
  close(): void;
}

interface Bar {
  readonly done: number | undefined;
  readonly text: string;
}

const drawEveryMs = 80;
const mostBars = 8;
const barWidth = 24;

/** Elsewhere than on a terminal, only the lines of `end` and `note` are printed. */
export function createProgress(io: Io, paint: Paint): ProgressBars {
  const stream = io.stderr;
  const isTerminal = stream.isTTY === true && io.env['TERM'] !== 'dumb';
  const bars = new Map<string, Bar>();
  let drawnLines = 0;
  let timer: NodeJS.Timeout | undefined;

  // Draws over the lines drawn before: to the first of them, then clear to the end of the screen.
  const clear = (): string => (drawnLines > 0 ? `\u001B[${drawnLines}A\u001B[J` : '');
  const draw = (before = '') => {
    if (!isTerminal) return void (before !== '' && stream.write(before));
    const shown = [...bars].slice(0, mostBars).map(([name, bar]) => formatBar(name, bar, stream.columns ?? 80, paint));
    if (bars.size > mostBars) shown.push(paint.dim(`  and ${bars.size - mostBars} more`));
    stream.write(clear() + before + shown.map((line) => `${line}\n`).join(''));
    drawnLines = shown.length;
  };
  const drawSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      draw();
    }, drawEveryMs);
  };
  return {
    set(name, done, text = '') {
      bars.set(name, { done, text });
      if (isTerminal) drawSoon();
    },
    end(name, line) {
      bars.delete(name);
      draw(line === undefined ? '' : `${safeText(line)}\n`);
    },
    note: (line) => draw(`${safeText(line)}\n`),
    close() {
      clearTimeout(timer);
      timer = undefined;
      bars.clear();
      draw();
    },
  };
}

export function formatBar(name: string, { done, text }: Bar, columns: number, paint: Paint): string {
  const filled = done === undefined ? 0 : Math.round(Math.min(1, Math.max(0, done)) * barWidth);
  const bar = paint.green('█'.repeat(filled)) + paint.dim('░'.repeat(barWidth - filled));
  const percent = done === undefined ? '   …' : `${Math.floor(Math.min(1, done) * 100)}%`.padStart(4);
  const rest = columns - barWidth - percent.length - 3;
  const nameWidth = Math.max(8, Math.min(40, rest - 20));
  const label = padText(cutText(safeText(name), nameWidth), nameWidth);
  return `${label} ${bar} ${percent} ${paint.dim(cutText(safeText(text), Math.max(0, rest - nameWidth)))}`.trimEnd();
}
