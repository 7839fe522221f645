import { createInterface } from 'node:readline';
import { exitCodes, Failure, usageFailure } from './failure.ts';
import type { Io } from './io.ts';

/** Asks for texts: on a terminal with a question, otherwise from the lines of standard input. */
export interface Prompter {
  ask(question: string): Promise<string>;
  /** Without echo. */
  askSecret(question: string): Promise<string>;
  close(): void;
}

interface RawInput {
  setRawMode?(isRaw: boolean): unknown;
}

const interrupt = '\u0003';
const end = '\u0004';
const backspaces: ReadonlySet<string> = new Set(['\u007F', '\b']);

export function createPrompter(io: Io): Prompter {
  const input = io.stdin as Io['stdin'] & RawInput;
  if (!input.isTTY || !input.setRawMode) return lineReader(io);
  const readTyped = (question: string, echo: boolean) => typed(io, input, question, echo);
  return {
    ask: (question) => readTyped(question, true),
    askSecret: (question) => readTyped(question, false),
    close: () => input.pause(),
  };
}

function lineReader(io: Io): Prompter {
  const lines = createInterface({ input: io.stdin, crlfDelay: Infinity })[Symbol.asyncIterator]();
  const next = async (question: string) => {
    const { value, done } = await lines.next();
    if (done) throw usageFailure(`${question} is missing on standard input. Give one line for each question.`);
    return value;
  };
  return { ask: next, askSecret: next, close: () => io.stdin.pause() };
}

function typed(io: Io, input: Io['stdin'] & RawInput, question: string, echo: boolean): Promise<string> {
  io.stderr.write(`${question}: `);
  input.setRawMode?.(true);
  input.resume();
  return new Promise((resolve, reject) => {
    let text = '';
    const finish = (settle: () => void) => {
      input.off('data', read);
      input.setRawMode?.(false);
      input.pause();
      io.stderr.write('\n');
      settle();
    };
    const read = (data: Buffer) => {
      for (const key of data.toString('utf8')) {
        if (key === '\r' || key === '\n') return finish(() => resolve(text));
        if (key === interrupt || key === end) {
          return finish(() => reject(new Failure('Nothing was changed.', exitCodes.interrupted)));
        }
        if (backspaces.has(key)) {
          if (echo && text !== '') io.stderr.write('\b \b');
          text = text.slice(0, -1);
        } else if (key >= ' ') {
          text += key;
          if (echo) io.stderr.write(key);
        }
      }
      return undefined;
    };
    input.on('data', read);
  });
}
