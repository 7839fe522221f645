import { setTimeout as sleep } from 'node:timers/promises';

export interface PollOptions {
  readonly boundMs: number;
  readonly everyMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Polls until `ask` returns a value; undefined if the time limit passes without one. */
export async function pollFor<Answer>(
  ask: () => Promise<Answer | undefined>,
  { boundMs, everyMs, signal }: PollOptions,
): Promise<Answer | undefined> {
  const deadline = performance.now() + boundMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() >= deadline) return undefined;
    await sleep(everyMs, undefined, { signal });
  }
}

/** The result of the promise; rejects with the abort's reason if the signal aborts first. */
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
