import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';

import type { MediaErrorCode } from './media-error.ts';
import { MediaError } from './media-error.ts';

/** Processor time where the system tells it, and time by the clock everywhere. */
export interface ChildLimits {
  readonly cpuMs: number;
  readonly wallMs: number;
}

export interface ChildOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly signal?: AbortSignal | undefined;
  readonly input?: 'pipe';
  readonly cwd?: string;
  /** More than the usual, for work that begins with a long way to go in silence. */
  readonly extraPatienceMs?: number | undefined;
  readonly limits?: ChildLimits | undefined;
}

/** Nothing that reads a sound file needs more; a file that makes a decoder want more is hostile. */
const mostMemoryBytes = 1024 ** 3;
const checkMs = 250;
/** Of the system's clock ticks, in which it counts processor time; Linux has had 100 a second on every machine. */
const tickMs = 10;
/** Time without a byte in or out while we wait for one. A long file is no reason: it moves all the time. */
const stallMs = 60_000;
const keptErrorChars = 4096;
const niceness = 10;

/**
 * A program that reads what strangers sent: lower in priority, without our environment (which holds secrets), bounded
 * in memory and in the time it may stand still, and killed at once when the signal says so.
 */
export class Child {
  readonly #process: ChildProcess;
  readonly #closed: Promise<void>;
  readonly #signal: AbortSignal | undefined;
  readonly #stopWatching: () => void;
  readonly #patienceMs: number;
  #errors = '';
  #fault: MediaError | undefined;

  constructor({ program, args, signal, input, cwd, extraPatienceMs = 0, limits }: ChildOptions) {
    signal?.throwIfAborted();
    this.#patienceMs = stallMs + extraPatienceMs;
    this.#signal = signal;
    this.#process = spawn(program, args, {
      stdio: [input ?? 'ignore', 'pipe', 'pipe'],
      cwd: cwd ?? dirname(program),
      env: { LC_ALL: 'C' },
    });
    const { pid, stdin, stderr } = this.#process;
    this.#process.on('error', () => {
      this.#fault ??= new MediaError('failed', 'The program that reads sound could not be started');
    });
    stdin?.on('error', () => undefined);
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-keptErrorChars);
    });
    // Listened to at once: a start that fails is never followed by an exit that somebody waits for.
    this.#closed = new Promise((resolve) => this.#process.once('close', () => resolve()));
    if (pid !== undefined) lowerPriority(pid);
    this.#stopWatching = this.#watch(pid, limits);
    void this.#closed.then(this.#stopWatching);
  }

  /** With an exit code of its own: what it could not read, it says so. Not when it was killed or crashed. */
  get endedByItself(): boolean {
    return this.#process.exitCode !== null;
  }

  /** What it prints; ends with an error when it ends badly. Leaving the loop early kills it. */
  async *output(): AsyncGenerator<Buffer> {
    const chunks = (this.#process.stdout as Readable)[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    try {
      for (;;) {
        const { done, value } = await this.#moving(chunks.next());
        if (done === true) break;
        yield value;
      }
      await this.finish();
    } finally {
      await this.kill();
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    const stdin = this.#process.stdin as Writable;
    const error = await this.#moving(new Promise((resolve) => void stdin.write(bytes, resolve)));
    if (!error) return;
    await this.finish();
    throw new MediaError('failed', 'The program that writes sound ended early');
  }

  endInput(): void {
    this.#process.stdin?.end();
  }

  /** Waits for its end; an error when that was not a good one. */
  async finish(): Promise<void> {
    this.#process.stdout?.resume();
    await this.#moving(this.#closed);
    this.#signal?.throwIfAborted();
    if (this.#fault) throw this.#fault;
    const { exitCode } = this.#process;
    if (exitCode !== 0) throw new MediaError('failed', cleanReason(this.#errors));
  }

  /** Returns once it is gone. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    // Nobody reads on, and an unread pipe would hold back the event we wait for.
    this.#process.stdout?.destroy();
    await this.#closed;
  }

  async #moving<T>(step: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.#stop('The program that handles sound stood still'), this.#patienceMs);
    try {
      return await step;
    } finally {
      clearTimeout(timer);
    }
  }

  #stop(reason: string, code: MediaErrorCode = 'failed'): void {
    this.#fault ??= new MediaError(code, reason);
    this.#process.kill('SIGKILL');
  }

  #watch(pid: number | undefined, limits: ChildLimits = { cpuMs: Infinity, wallMs: Infinity }): () => void {
    const abort = (): void => void this.#process.kill('SIGKILL');
    this.#signal?.addEventListener('abort', abort, { once: true });
    const startMs = performance.now();
    const { cpuMs, wallMs } = limits;
    const check = async (): Promise<void> => {
      if ((await residentBytes(pid)) > mostMemoryBytes) this.#stop('The sound needs more memory than a file may');
      if (performance.now() - startMs > wallMs || (cpuMs < Infinity && (await usedCpuMs(pid)) > cpuMs))
        this.#stop(
          `The sound takes more than ${Math.round(cpuMs / 1000)} seconds of processor time to read`,
          'too-costly',
        );
    };
    const timer = setInterval(() => void check(), checkMs).unref();
    return () => {
      clearInterval(timer);
      this.#signal?.removeEventListener('abort', abort);
    };
  }
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // It is gone already, or the system does not let us: slower neighbours, nothing worse.
  }
}

async function residentBytes(pid: number | undefined): Promise<number> {
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

async function usedCpuMs(pid: number | undefined): Promise<number> {
  try {
    // After the program's name, which may hold spaces: the state, then ten fields, then the ticks in itself and the system.
    const fields = (await readFile(`/proc/${pid}/stat`, 'latin1')).split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * tickMs || 0;
  } catch {
    return 0;
  }
}

/** The last line it complained with, without addresses and paths. */
export function cleanReason(errors: string): string {
  const line = errors.trim().split('\n').at(-1) ?? '';
  const reason = line
    .replace(/\[[^\]]* @ 0x[0-9a-f]+\]/g, '')
    .replace(/(file:)?\/\S+/g, '')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/^[\s:]+/, '')
    .trim()
    .slice(0, 160);
  return reason === '' ? 'The sound could not be processed' : `The sound could not be processed (${reason})`;
}
