import type { Sound } from '../engine.ts';
import { EngineUnavailable, ListeningFailed } from '../engine.ts';
import type { Log } from '../../log.ts';
import { createTurns } from '../turns.ts';
import type { ListeningProcess } from './child-process.ts';
import { startProcess } from './child-process.ts';
import type { Asked, Limits } from './conversation.ts';
import { listenInProcess, NeverBegan } from './conversation.ts';
import type { ChildTask, Results } from './protocol.ts';

export interface PoolOptions {
  /** How many clips are listened to at once, each in a process of its own. */
  readonly processes: number;
  /** Processes that had nothing to do for so long end, and give back their memory. */
  readonly idleMs: number;
  readonly loadWithinMs: number;
  readonly limits: Limits;
  readonly log: Log;
  /** What a new process is to load. */
  readonly prepareTask: () => Promise<ChildTask>;
}

export interface Pool<Ears extends keyof Results> {
  listen(sound: Sound, asked: Asked): Promise<Results[Ears]>;
  /** Has one process ready. */
  warm(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
  /** The processes that live now. */
  readonly pids: readonly number[];
}

interface Idle {
  readonly child: ListeningProcess;
  readonly timer: NodeJS.Timeout;
}

/** Above this share of what it may take, a process is replaced after its clip rather than killed during the next. */
const wornOut = 0.8;
const attempts = 4;

/**
 * Processes that listen, started when they are needed, kept while there is work, replaced when they die. A clip waits
 * its turn here when all are busy.
 */
export function createPool<Ears extends keyof Results>(options: PoolOptions): Pool<Ears> {
  const { limits, log } = options;
  const living = new Set<ListeningProcess>();
  const idle: Idle[] = [];
  const closing = new AbortController();
  const inTurn = createTurns(options.processes);
  let clips = 0;

  const start = (signal: AbortSignal) =>
    unlessItNeverBegan(
      () => startOnce(signal),
      (reason) => new EngineUnavailable(`the process that listens cannot work: ${reason}`),
    );

  const startOnce = async (signal: AbortSignal): Promise<ListeningProcess> => {
    const task = await orAborted(options.prepareTask(), signal);
    const child = startProcess(task);
    living.add(child);
    try {
      await untilReady(child, options.loadWithinMs, signal);
      return child;
    } catch (error) {
      child.kill('it is not needed');
      living.delete(child);
      throw error;
    }
  };

  const rest = async (child: ListeningProcess) => {
    const isWornOut = (await child.memoryBytes()) > limits.memoryBytes * wornOut;
    if (child.isGone || isWornOut || closing.signal.aborted) {
      living.delete(child);
      return child.leave();
    }
    child.hold(false);
    const leave = () => {
      idle.splice(
        idle.findIndex((entry) => entry.child === child),
        1,
      );
      living.delete(child);
      void child.leave();
    };
    child.onMessage = (message) => {
      if (message === undefined) leave();
    };
    idle.push({ child, timer: setTimeout(leave, options.idleMs).unref() });
  };

  /** The one that rested least, so that the others may end. */
  const wake = (): ListeningProcess | undefined => {
    const entry = idle.pop();
    if (!entry) return undefined;
    clearTimeout(entry.timer);
    entry.child.onMessage = () => {};
    entry.child.hold(true);
    return entry.child;
  };

  const listenOnce = async (sound: Sound, asked: Asked): Promise<Results[Ears]> => {
    const child = wake() ?? (await start(asked.signal));
    clips += 1;
    try {
      return await listenInProcess<Ears>(child, clips, sound, asked, limits);
    } finally {
      if (child.isGone) log.warn({ pid: child.pid, reason: child.epitaph }, 'a process that listens is gone');
      await rest(child);
    }
  };

  const closed = () => new ListeningFailed('the engine is being shut down');
  const untilClosed = (signal: AbortSignal) => AbortSignal.any([signal, closing.signal]);

  return {
    get pids() {
      return [...living].map(({ pid }) => pid);
    },
    async listen(sound, { signal, ...asked }) {
      const either = untilClosed(signal);
      return inTurn(either, () =>
        unlessItNeverBegan(
          () => listenOnce(sound, { ...asked, signal: either }),
          (reason) => new ListeningFailed(`no process could begin with this clip: ${reason}`),
        ),
      );
    },
    warm: async (signal) => {
      const either = untilClosed(signal);
      await inTurn(either, async () => rest(wake() ?? (await start(either))));
    },
    async close() {
      closing.abort(closed());
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      await Promise.all([...living].map((child) => child.leave()));
    },
  };
}

/** A process that died before it began is no fault of what it was to do, which is tried with some others. */
async function unlessItNeverBegan<Result>(
  work: () => Promise<Result>,
  explain: (reason: string) => Error,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NeverBegan)) throw error;
      if (attempt === attempts) throw explain(error.message);
    }
  }
}

/** Stops waiting when the signal says so; what was waited for goes on, for others. */
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

async function untilReady(child: ListeningProcess, withinMs: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let giveUp = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (reason: string) => reject(new EngineUnavailable(`the process that listens cannot work: ${reason}`));
      timer = setTimeout(() => fail(`it did not load its models within ${withinMs / 1_000} seconds`), withinMs);
      giveUp = () => reject(signal.reason as Error);
      signal.addEventListener('abort', giveUp, { once: true });
      child.onMessage = (message) => {
        if (message === undefined) reject(new NeverBegan(child.epitaph));
        else if (message.kind === 'broken') fail(message.reason);
        else if (message.kind === 'ready') resolve();
      };
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    child.onMessage = () => {};
  }
}
