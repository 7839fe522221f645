import { ApiError } from '@earshot/client/api-error';

const firstDelayMs = 1_000;
const longestDelayMs = 30_000;

/** Whether another attempt may succeed: the server was not reached, was busy, or failed. */
export function isTransient(error: unknown): boolean {
  if (error === undefined) return false;
  const status = error instanceof ApiError ? error.status : 0;
  return status === 0 || status === 408 || status === 429 || status >= 500;
}

/** Calls a function after 1 s, then after twice the time for each failure, at most 30 s, but not before Retry-After. */
export class RetryTimer {
  private readonly act: () => void;
  private delayMs = firstDelayMs;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(act: () => void) {
    this.act = act;
  }

  start(error: unknown): void {
    clearTimeout(this.timer);
    const leastSeconds = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0;
    this.timer = setTimeout(this.act, Math.max(this.delayMs, leastSeconds * 1_000));
    this.delayMs = Math.min(2 * this.delayMs, longestDelayMs);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  /** After a success. */
  reset(): void {
    this.stop();
    this.delayMs = firstDelayMs;
  }
}
