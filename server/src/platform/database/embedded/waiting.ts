import { setTimeout as sleep } from 'node:timers/promises';

export interface Patience {
  readonly boundMs: number;
  readonly everyMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Asks until there is an answer; undefined when the bound passes without one. */
export async function pollFor<Answer>(
  ask: () => Promise<Answer | undefined>,
  { boundMs, everyMs, signal }: Patience,
): Promise<Answer | undefined> {
  const deadline = performance.now() + boundMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() >= deadline) return undefined;
    await sleep(everyMs, undefined, { signal });
  }
}

/** The promise's outcome, or the abort's reason when that comes first. */
export async function orAborted<Outcome>(promise: Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
  signal.throwIfAborted();
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
