import { ApiError } from '@earshot/client/api-error';

/** `offline`: nothing that proves to be the platform answered. `refused`: the platform refuses this recording, finally. */
export type Failure = 'offline' | 'refused' | 'transient';

/** The recording itself is refused, rather than the key, the device or the moment. */
const finalStatuses = new Set([400, 413, 415, 422]);
const longestDelayMs = 600_000;

/** What a failed request says about a recording. */
export function judgeFailure(error: unknown): Failure {
  if (error instanceof TypeError) return 'offline';
  if (!(error instanceof ApiError)) return 'transient';
  if (error.problem?.status !== error.status) return 'offline';
  return finalStatuses.has(error.status) ? 'refused' : 'transient';
}

/** The time that the platform asks to wait, else the own delay with jitter; at most ten minutes. */
export function retryDelayMs(error: unknown, ownDelayMs: number): number {
  const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
  const own = ownDelayMs * (0.75 + Math.random() * 0.5);
  return Math.min(longestDelayMs, Math.max(Number.isFinite(asked) ? asked : 0, own));
}
