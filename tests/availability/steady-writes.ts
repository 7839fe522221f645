import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@earshot/client/api-error';

/** Writes that go on while something is lost, with the moments of the good ones. */
export interface SteadyWrites {
  /** The time from a moment (`performance.now`) to the end of the first good write after it. */
  firstGoodAfter(ms: number): Promise<number>;
  readonly longestMs: () => number;
  /** Answers of errors other than 503. */
  readonly wrongAnswers: readonly string[];
  /** The names of the writes that were acknowledged. */
  readonly acknowledged: ReadonlySet<string>;
  stop(): Promise<void>;
}

const writers = 8;
const pauseMs = 50;
const patienceMs = 120_000;

/** Repeats a write from several writers at once; each attempt has a name of its own. */
export function startSteadyWrites(write: (name: string) => Promise<unknown>): SteadyWrites {
  const over = new AbortController();
  const acknowledged = new Set<string>();
  const wrongAnswers: string[] = [];
  const good: number[] = [];
  let longestMs = 0;
  let turn = 0;
  const keepWriting = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const name = `write-${(turn += 1)}`;
      const startedMs = performance.now();
      try {
        await write(name);
        acknowledged.add(name);
        good.push(performance.now());
      } catch (error) {
        if (error instanceof ApiError && error.status !== 503) wrongAnswers.push(`${error.status} ${error.message}`);
      }
      longestMs = Math.max(longestMs, performance.now() - startedMs);
      await sleep(pauseMs);
    }
  };
  const writing = Promise.all(Array.from({ length: writers }, keepWriting));
  return {
    async firstGoodAfter(ms) {
      for (const deadline = performance.now() + patienceMs; performance.now() < deadline; await sleep(20)) {
        const found = good.find((each) => each > ms);
        if (found !== undefined) return found - ms;
      }
      throw new Error(`no good write within ${patienceMs / 1_000} s`);
    },
    longestMs: () => longestMs,
    wrongAnswers,
    acknowledged,
    async stop() {
      over.abort();
      await writing;
    },
  };
}

/** The median and the most, in seconds. */
export function describeTimes(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const seconds = (ms = 0) => `${(ms / 1_000).toFixed(2)} s`;
  return `median ${seconds(sorted[sorted.length >> 1])}, most ${seconds(sorted.at(-1))}`;
}
