import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Io } from '../io.ts';
import { main } from '../main.ts';

export interface CliResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Standard output as lines of JSON. */
  readonly records: () => Record<string, unknown>[];
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  readonly signal?: AbortSignal;
  /** A terminal of this width. */
  readonly columns?: number;
  /** Called with all of standard output so far. */
  readonly onOutput?: (text: string) => void;
  /** Likewise, with standard error. */
  readonly onError?: (text: string) => void;
}

/** The command line with a home of its own, in the process of the test. */
export interface Cli {
  readonly home: string;
  run(words: readonly string[], options?: RunOptions): Promise<CliResult>;
}

export async function openCli(env: Readonly<Record<string, string>> = {}): Promise<Cli> {
  const home = await mkdtemp(join(tmpdir(), 'earshot-cli-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return { home, run: (words, options) => runIn(home, env, words, options) };
}

async function runIn(
  home: string,
  env: Readonly<Record<string, string>>,
  words: readonly string[],
  { env: more = {}, input = '', signal = new AbortController().signal, columns, onOutput, onError }: RunOptions = {},
): Promise<CliResult> {
  let [out, err] = ['', ''];
  const terminal = columns === undefined ? {} : { isTTY: true, columns };
  const collect = (take: (text: string) => void) =>
    Object.assign(
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          take(chunk.toString('utf8'));
          done();
        },
      }),
      terminal,
    );
  const stdin = input === '' ? Object.assign(new PassThrough(), { isTTY: false }).end() : Readable.from([input]);
  const io: Io = {
    stdin,
    stdout: collect((text) => {
      out += text;
      onOutput?.(out);
    }),
    stderr: collect((text) => {
      err += text;
      onError?.(err);
    }),
    env: { HOME: home, PATH: process.env['PATH'], ...env, ...more },
    folder: home,
    signal,
  };
  const code = await main(words, io);
  return {
    code,
    out,
    err,
    records: () =>
      out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}
