import { ApiError } from './api-error.ts';
import { RedirectRefused } from './send-request.ts';

export const longestDelayMs = 30_000;

/** A retry would be refused again; 408, 429 and errors of the server are transient. */
export const isPermanent = (error: unknown): boolean =>
  error instanceof RedirectRefused ||
  (error instanceof ApiError && error.status >= 400 && error.status < 500 && ![408, 429].includes(error.status));

/** Ends early when the signal aborts. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}
