import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { EngineUnavailable } from './engine.ts';

export type EngineState = 'ready' | 'preparing' | 'unavailable';

/** Whether engines can accept work. While they cannot, work waits. */
export interface Readiness {
  readonly state: EngineState;
  /** Why they are unavailable. */
  readonly reason: string | undefined;
  /** Reports that they were unavailable for work: they are prepared again after a delay. */
  fail(error: EngineUnavailable): void;
  /** Reports successful work, which ends an unavailability. */
  succeed(): void;
  close(): Promise<void>;
}

interface ReadinessOptions {
  readonly prepare: (signal: AbortSignal) => Promise<void>;
  readonly log: Log;
  readonly firstWaitMs?: number;
}

const longestWaitMs = 300_000;

/** Prepares engines in the background, and retries while that fails. The engines log the reasons. */
export function watchReadiness({ prepare, log, firstWaitMs = 5_000 }: ReadinessOptions): Readiness {
  const closing = new AbortController();
  const { signal } = closing;
  let state: EngineState = 'preparing';
  let reason: string | undefined;
  let logged: string | undefined;
  let waitMs = firstWaitMs;
  let running: Promise<void> | undefined;

  const noteFailure = (error: Error): number => {
    state = 'unavailable';
    reason = error.message;
    const delayMs = (error instanceof EngineUnavailable ? error.retryAfterMs : undefined) ?? waitMs;
    waitMs = Math.min(waitMs * 2, longestWaitMs);
    return Math.min(delayMs, longestWaitMs);
  };

  async function prepareUntilReady(firstDelayMs: number): Promise<void> {
    for (let delayMs = firstDelayMs; !signal.aborted;) {
      if (delayMs > 0) await sleep(delayMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        if (state !== 'unavailable') state = 'preparing';
        await prepare(signal);
        state = 'ready';
        reason = undefined;
        return;
      } catch (error) {
        if (!signal.aborted) delayMs = noteFailure(error as Error);
      }
    }
  }

  const start = (delayMs: number) => {
    running ??= prepareUntilReady(delayMs).finally(() => (running = undefined));
  };
  start(0);
  return {
    get state() {
      return state;
    },
    get reason() {
      return reason;
    },
    fail(error) {
      if (state !== 'ready') return;
      if (error.message !== logged) log.error({}, `captions are waiting: ${error.message}`);
      logged = error.message;
      start(noteFailure(error));
    },
    succeed() {
      waitMs = firstWaitMs;
      if (logged !== undefined) log.info({}, 'captions continue');
      logged = undefined;
    },
    async close() {
      closing.abort(new Error('the engines are being shut down'));
      await running;
    },
  };
}
