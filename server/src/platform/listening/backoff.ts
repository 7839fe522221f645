import { EngineUnavailable } from './engine.ts';

const firstWaitMs = 15_000;
const longestWaitMs = 15 * 60_000;

/**
 * Many callers share one attempt. After a failure, the next attempt is made only after a delay, which doubles from 15 s
 * to 15 min; until then, callers get the same error at once. `explain` is called for each new reason.
 */
export function attemptWithBackoff<Result>(
  attempt: () => Promise<Result>,
  explain: (reason: string) => void,
): () => Promise<Result> {
  let failure: { readonly reason: string; readonly until: number } | undefined;
  let waitMs = firstWaitMs;
  let running: Promise<Result> | undefined;

  const run = async (): Promise<Result> => {
    try {
      const result = await attempt();
      failure = undefined;
      waitMs = firstWaitMs;
      return result;
    } catch (error) {
      if (!(error instanceof EngineUnavailable)) throw error;
      if (error.message !== failure?.reason) explain(error.message);
      failure = { reason: error.message, until: Date.now() + waitMs };
      waitMs = Math.min(waitMs * 2, longestWaitMs);
      throw error;
    }
  };

  return async () => {
    const leftMs = failure ? failure.until - Date.now() : 0;
    if (failure && leftMs > 0) throw new EngineUnavailable(failure.reason, { retryAfterMs: leftMs });
    running ??= run().finally(() => (running = undefined));
    return running;
  };
}
