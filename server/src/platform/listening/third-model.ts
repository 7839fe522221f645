import { setTimeout as sleep } from 'node:timers/promises';
import { attemptWithBackoff } from './backoff.ts';
import { EngineUnavailable, ListeningFailed } from './engine.ts';
import type { Log } from '../log.ts';
import { whisperSmallModel } from './models/declaration.ts';
import type { ModelStore } from './models/model-store.ts';

/** The folder of the model for a third listen. It is downloaded and checked when speech first needs it. */
export interface ThirdModel {
  /** Throws EngineUnavailable without the model. */
  require(): Promise<string>;
  /** Undefined without the model. A clip does not wait for a long download. */
  find(signal: AbortSignal): Promise<string | undefined>;
  /** Ends a download. */
  close(): void;
}

const mostWaitMs = 20_000;

export function createThirdModel({ models, log }: { readonly models: ModelStore; readonly log: Log }): ThirdModel {
  const closing = new AbortController();
  const require = attemptWithBackoff(
    () => models.provide(whisperSmallModel, closing.signal),
    (reason) => log.warn({}, `no third listen at present: ${reason}`),
  );
  return {
    require,
    async find(signal) {
      signal.throwIfAborted();
      const waiting = new AbortController();
      const waited = sleep(mostWaitMs, undefined, { signal: waiting.signal }).catch(() => undefined);
      try {
        return await Promise.race([require(), waited]);
      } catch (error) {
        if (error instanceof EngineUnavailable) return undefined;
        throw error;
      } finally {
        waiting.abort();
      }
    },
    close: () => closing.abort(new ListeningFailed('the engine is being shut down')),
  };
}
