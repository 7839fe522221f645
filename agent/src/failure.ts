import { ApiError } from '@earshot/client/api-error';
import { RedirectRefused } from '@earshot/client/send-request';
import { NetworkFault } from './connection/network-fault.ts';

/** `offline`: nothing that proves to be the platform answered. `refused`: the platform refuses this recording, finally. */
export type UploadFailure = 'offline' | 'refused' | 'transient';

/**
 * The recording itself is refused, rather than the key, the device or the moment. A conflict (409) is one of the moment:
 * another upload of the clip is stored, or a record was changed at the same time.
 */
const finalStatuses = new Set([400, 413, 415, 422]);
const longestDelayMs = 600_000;

/** What a failed request says about a recording. An ApiError always comes from the platform (connection.ts). */
export function judgeFailure(error: unknown): UploadFailure {
  if (error instanceof NetworkFault) return error.platformAnswers ? 'transient' : 'offline';
  // What `fetch` throws when there is no answer.
  if (error instanceof TypeError || error instanceof RedirectRefused) return 'offline';
  // Without its problem document, as after HEAD, the reason is not known yet.
  const isFinal =
    error instanceof ApiError && error.problem?.status === error.status && finalStatuses.has(error.status);
  return isFinal ? 'refused' : 'transient';
}

/** The own delay with jitter, or as long as the platform asks; at most ten minutes. */
export function retryDelayMs(error: unknown, ownDelayMs: number): number {
  const askedMs = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
  return Math.min(longestDelayMs, Math.max(askedMs, ownDelayMs * (0.75 + Math.random() * 0.5)));
}
