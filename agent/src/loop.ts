import { isPermanent, wait } from '@earshot/client/retry';
import { retryDelayMs } from './failure.ts';
import type { AgentLog } from './log.ts';

const firstDelayMs = 1_000;
/** For small requests; bodies have longer delays (connection/body-gate.ts). With jitter, at most 60 s. */
export const longestLoopDelayMs = 48_000;

export interface LoopOptions {
  readonly name: string;
  readonly log: AgentLog;
  readonly signal: AbortSignal;
}

/** Work that the agent repeats for as long as it runs. */
export interface AgentLoop {
  readonly name: string;
  readonly step: () => Promise<void>;
}

/**
 * Repeats a step until the signal aborts. After an error it waits, 1 s at first and up to 60 s, or as long as the platform
 * asks (at most ten minutes), and logs the error once until the step succeeds again.
 */
export async function repeat({ name, log, signal }: LoopOptions, step: () => Promise<void>): Promise<void> {
  let delayMs = firstDelayMs;
  let logged: string | undefined;
  while (!signal.aborted) {
    try {
      await step();
      if (logged !== undefined) log.write('info', `${name}: works again`);
      logged = undefined;
      delayMs = firstDelayMs;
    } catch (error) {
      if (signal.aborted) return;
      const reason = reasonOf(error);
      if (reason !== logged) log.write(isPermanent(error) ? 'error' : 'warning', `${name}: ${reason}`);
      logged = reason;
      await wait(retryDelayMs(error, delayMs), signal);
      delayMs = Math.min(delayMs * 2, longestLoopDelayMs);
    }
  }
}

/** A failed connection has its reason in its cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message;
}

export const pause = (ms: number, signal: AbortSignal): Promise<void> => createSignal().wait(ms, signal);

/** Wakes loops that wait for something to do. */
export function createSignal() {
  let wake = (): void => {};
  let isSet = false;
  return {
    set(): void {
      isSet = true;
      wake();
    },
    /** Ends when it is set, at once if it was set since the last wait, or after the given time. */
    async wait(ms: number, signal: AbortSignal): Promise<void> {
      if (!isSet && !signal.aborted) {
        const ended = new AbortController();
        const end = () => ended.abort();
        wake = end;
        signal.addEventListener('abort', end, { once: true });
        await wait(ms, ended.signal);
        signal.removeEventListener('abort', end);
        wake = () => {};
      }
      isSet = false;
    },
  };
}
