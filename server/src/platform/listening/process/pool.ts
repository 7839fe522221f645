import type { Sound } from '../engine.ts';
import { EngineUnavailable, ListeningFailed } from '../engine.ts';
import type { Log } from '../../log.ts';
import { createConcurrencyLimit } from '../concurrency-limit.ts';
import type { EngineProcess } from './child-process.ts';
import { startProcess } from './child-process.ts';
import type { ClipRequest, ProcessLimits } from './analyse-in-process.ts';
import { analyseInProcess, NotStarted } from './analyse-in-process.ts';
import type { ChildTask, Results } from './protocol.ts';
import type { WorkWatch } from './watch-work.ts';
import { watchWork } from './watch-work.ts';

export interface ProcessPoolOptions {
  /** How many clips are analysed at once, each in its own process. */
  readonly processes: number;
  /** A process that was idle for this time is ended to free its memory. */
  readonly idleMs: number;
  /** A process that loads its models without progress for this time is killed (watch-work.ts). */
  readonly loadStallMs: number;
  readonly limits: ProcessLimits;
  readonly log: Log;
  /** The task for a new process: the models that it loads. */
  readonly prepareTask: () => Promise<ChildTask>;
}

export interface ProcessPool<Kind extends keyof Results> {
  analyse(sound: Sound, asked: ClipRequest): Promise<Results[Kind]>;
  /** Makes sure that one process is ready. */
  warm(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
  /** The running processes. */
  readonly pids: readonly number[];
}

interface Idle {
  readonly child: EngineProcess;
  readonly timer: NodeJS.Timeout;
}

/**
 * Above this share of its memory limit, a process is replaced after its clip, so that it is not killed during the next
 * one.
 */
const replaceAbove = 0.8;
const attempts = 4;

/**
 * Starts engine processes on demand, keeps them while there is work, and replaces them when they exit. A clip waits
 * while all processes are busy.
 */
export function createProcessPool<Kind extends keyof Results>(options: ProcessPoolOptions): ProcessPool<Kind> {
  const { limits, log } = options;
  const running = new Set<EngineProcess>();
  const idle: Idle[] = [];
  const closing = new AbortController();
  const runLimited = createConcurrencyLimit(options.processes);
  let clips = 0;

  const start = (signal: AbortSignal) =>
    retryIfNotStarted(
      () => startOnce(signal),
      (reason) => new EngineUnavailable(`the engine process does not work: ${reason}`),
    );

  const startOnce = async (signal: AbortSignal): Promise<EngineProcess> => {
    const task = await orAborted(options.prepareTask(), signal);
    const child = startProcess(task);
    running.add(child);
    try {
      await untilReady(child, options.loadStallMs, signal);
      return child;
    } catch (error) {
      child.kill('it is not needed any more');
      running.delete(child);
      throw error;
    }
  };

  const release = async (child: EngineProcess) => {
    const usesMuchMemory = (await child.memoryBytes()) > limits.memoryBytes * replaceAbove;
    if (child.hasExited || usesMuchMemory || closing.signal.aborted) {
      running.delete(child);
      return child.stop();
    }
    child.hold(false);
    const leave = () => {
      idle.splice(
        idle.findIndex((entry) => entry.child === child),
        1,
      );
      running.delete(child);
      void child.stop();
    };
    child.onMessage = (message) => {
      if (message === undefined) leave();
    };
    idle.push({ child, timer: setTimeout(leave, options.idleMs).unref() });
  };

  /** The process that was used last, so that the others can be ended. */
  const takeIdle = (): EngineProcess | undefined => {
    const entry = idle.pop();
    if (!entry) return undefined;
    clearTimeout(entry.timer);
    entry.child.onMessage = () => {};
    entry.child.hold(true);
    return entry.child;
  };

  const analyseOnce = async (sound: Sound, asked: ClipRequest): Promise<Results[Kind]> => {
    const child = takeIdle() ?? (await start(asked.signal));
    clips += 1;
    try {
      return await analyseInProcess<Kind>(child, clips, sound, asked, limits);
    } finally {
      if (child.hasExited) log.warn({ pid: child.pid, reason: child.exitReason }, 'an engine process has exited');
      await release(child);
    }
  };

  const closed = () => new ListeningFailed('the engine is being shut down');
  const untilClosed = (signal: AbortSignal) => AbortSignal.any([signal, closing.signal]);

  return {
    get pids() {
      return [...running].map(({ pid }) => pid);
    },
    async analyse(sound, { signal, ...asked }) {
      const either = untilClosed(signal);
      return runLimited(either, () =>
        retryIfNotStarted(
          () => analyseOnce(sound, { ...asked, signal: either }),
          (reason) => new ListeningFailed(`no process could start to analyse this clip: ${reason}`),
        ),
      );
    },
    warm: async (signal) => {
      const either = untilClosed(signal);
      await runLimited(either, async () => release(takeIdle() ?? (await start(either))));
    },
    async close() {
      closing.abort(closed());
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      await Promise.all([...running].map((child) => child.stop()));
    },
  };
}

/** Retries with other processes if a process exited before it began: its work did not cause that. */
async function retryIfNotStarted<Result>(
  work: () => Promise<Result>,
  explain: (reason: string) => Error,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NotStarted)) throw error;
      if (attempt === attempts) throw explain(error.message);
    }
  }
}

/** Stops waiting when the signal aborts; the awaited work continues for other callers. */
async function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  let giveUp = () => {};
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(signal.reason as Error);
    signal.addEventListener('abort', giveUp, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

async function untilReady(child: EngineProcess, stallMs: number, signal: AbortSignal): Promise<void> {
  let work: WorkWatch | undefined;
  let giveUp = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (reason: string) => reject(new EngineUnavailable(`the engine process does not work: ${reason}`));
      work = watchWork(child, stallMs, (reason) => fail(`while it loaded its models, ${reason}`));
      work.restart();
      giveUp = () => reject(signal.reason as Error);
      signal.addEventListener('abort', giveUp, { once: true });
      child.onMessage = (message) => {
        if (message === undefined) reject(new NotStarted(child.exitReason));
        else if (message.kind === 'broken') fail(message.reason);
        else if (message.kind === 'ready') resolve();
      };
    });
  } finally {
    work?.pause();
    signal.removeEventListener('abort', giveUp);
    child.onMessage = () => {};
  }
}
