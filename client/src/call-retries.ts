import type { Operation } from '@earshot/contract/operation';
import { ApiError } from './api-error.ts';
import { longestDelayMs, wait } from './retry.ts';

/**
 * When a call may be repeated. A 429 was refused before anything was done, so every call may be repeated after it. After
 * a lost connection or an error of the server it is not known whether the call was done: then a call is repeated only
 * if a second time changes nothing. Calls that would add something once more have an idempotency key.
 */
export const isRepeatable = ({ repetition }: Pick<Operation, 'repetition'>): boolean =>
  repetition === 'harmless' || repetition === 'adds';

interface Call {
  readonly operation: Pick<Operation, 'repetition'>;
  readonly body: unknown;
}

const firstDelayMs = 250;

export async function callWithRetries<Result>(
  { operation, body }: Call,
  retries: number,
  signal: AbortSignal | undefined,
  send: () => Promise<Result>,
): Promise<Result> {
  // A stream can be read once.
  const mostRetries = body instanceof ReadableStream ? 0 : retries;
  let delayMs = firstDelayMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (attempt >= mostRetries || signal?.aborted || !mayRepeat(error, isRepeatable(operation))) throw error;
      const askedMs = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
      // A caller that waits for minutes should decide itself.
      if (askedMs > longestDelayMs) throw error;
      await wait(Math.max(askedMs, delayMs * (0.75 + Math.random() * 0.5)), signal);
      signal?.throwIfAborted();
      delayMs = Math.min(delayMs * 2, longestDelayMs);
    }
  }
}

function mayRepeat(error: unknown, repeatable: boolean): boolean {
  if (error instanceof ApiError && error.status === 429) return true;
  if (error instanceof ApiError) return repeatable && [408, 502, 503, 504].includes(error.status);
  // What `fetch` throws when there is no response.
  return repeatable && error instanceof TypeError;
}
