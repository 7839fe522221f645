import { EngineUnavailable } from './engine.ts';

const firstWaitMs = 15_000;
const longestWaitMs = 15 * 60_000;

/**
 * Many ask for the same; it is attempted once for all of them. What failed is attempted again only after a while, a
 * growing one: until then all are told at once why. `explain` is called when the reason is a new one.
 */
export function attemptPatiently<Result>(
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
