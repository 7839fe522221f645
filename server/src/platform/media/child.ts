import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';

import { processorMs, residentBytes } from '../process-use.ts';
import type { MediaErrorCode } from './media-error.ts';
import { MediaError } from './media-error.ts';

/** Limits of processor time, where the system reports it, and of elapsed time. */
export interface ChildLimits {
  readonly cpuMs: number;
  readonly wallMs: number;
}

export interface ChildOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly signal?: AbortSignal | undefined;
  readonly input?: 'pipe';
  /** Receives what it writes to descriptor 3, before `output` ends. */
  readonly onSecondOutput?: ((bytes: Buffer) => void) | undefined;
  readonly cwd?: string;
  /** Added to the idle timeout, for work that starts with a long phase without output. */
  readonly extraIdleMs?: number | undefined;
  readonly limits?: ChildLimits | undefined;
}

/** More than reading any sound file needs; a file that makes a decoder use more is hostile. */
const mostMemoryBytes = 1024 ** 3;
const checkMs = 250;
/** Idle timeout while data is expected. It does not limit long files, because they produce data all the time. */
const stallMs = 60_000;
const keptErrorChars = 4096;
const niceness = 10;

/**
 * Runs a program that reads untrusted files: with low priority, without the environment of the server (which contains
 * secrets), with limits of memory, time and idle time, and killed at once when the signal aborts.
 */
export class Child {
  readonly #process: ChildProcess;
  readonly #closed: Promise<void>;
  readonly #signal: AbortSignal | undefined;
  readonly #stopWatching: () => void;
  readonly #idleTimeoutMs: number;
  #errors = '';
  #fault: MediaError | undefined;

  constructor({ program, args, signal, input, onSecondOutput, cwd, extraIdleMs = 0, limits }: ChildOptions) {
    signal?.throwIfAborted();
    this.#idleTimeoutMs = stallMs + extraIdleMs;
    this.#signal = signal;
    this.#process = spawn(program, args, {
      stdio: [input ?? 'ignore', 'pipe', 'pipe', ...(onSecondOutput ? ['pipe' as const] : [])],
      cwd: cwd ?? dirname(program),
      env: { LC_ALL: 'C' },
    });
    const { pid, stdin, stderr } = this.#process;
    if (onSecondOutput) this.#secondOutput?.on('data', onSecondOutput).on('error', () => undefined);
    this.#process.on('error', () => {
      this.#fault ??= new MediaError('failed', 'The audio program could not be started');
    });
    stdin?.on('error', () => undefined);
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-keptErrorChars);
    });
    // Registered immediately, because a failed start is not followed by an exit event.
    this.#closed = new Promise((resolve) => this.#process.once('close', () => resolve()));
    if (pid !== undefined) lowerPriority(pid);
    this.#stopWatching = this.#watch(pid, limits);
    void this.#closed.then(this.#stopWatching);
  }

  /**
   * True if it exited with an exit code, for example because it could not read the file; false if it was killed or
   * crashed.
   */
  get hasExitCode(): boolean {
    return this.#process.exitCode !== null;
  }

  /** Its output; throws if it fails. Leaving the loop early kills it. */
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
    throw new MediaError('failed', 'The audio program exited early');
  }

  endInput(): void {
    this.#process.stdin?.end();
  }

  /** Waits until it exits; throws if it failed. */
  async finish(): Promise<void> {
    this.#process.stdout?.resume();
    await this.#moving(this.#closed);
    this.#signal?.throwIfAborted();
    if (this.#fault) throw this.#fault;
    const { exitCode } = this.#process;
    if (exitCode !== 0) throw new MediaError('failed', cleanReason(this.#errors));
  }

  /** Resolves when the process has exited. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    // Nothing reads the pipe any more, and an unread pipe would delay the close event.
    this.#process.stdout?.destroy();
    this.#secondOutput?.destroy();
    await this.#closed;
  }

  get #secondOutput(): Readable | undefined {
    return this.#process.stdio[3] as Readable | undefined;
  }

  async #moving<T>(step: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.#stop('The audio program made no progress'), this.#idleTimeoutMs);
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
      if ((await residentBytes(pid)) > mostMemoryBytes)
        this.#stop('Reading the sound needs more memory than permitted');
      if (performance.now() - startMs > wallMs || (cpuMs < Infinity && (await processorMs(pid)) > cpuMs))
        this.#stop(
          `Reading the sound takes more than ${Math.round(cpuMs / 1000)} seconds of processor time`,
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
    // It has exited already, or the system does not permit it. Then it runs at normal priority.
  }
}

/** The last line of its error output, without addresses and paths. */
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
