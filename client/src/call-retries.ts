import { ApiError } from './api-error.ts';
import { longestDelayMs, wait } from './retry.ts';

/**
 * When a call may be repeated. A 429 was refused before anything was done, so every call may be repeated after it. After
 * a lost connection or an error of the server it is not known whether the call was done: then a call is repeated only
 * if a second time changes nothing.
 */

/** POST operations that only read, or whose description says that a repetition returns what exists. */
const repeatablePosts: ReadonlySet<string> = new Set([
  'announceAudioClip',
  'announceAudioClips',
  'countAudioClips',
  'countFleetClips',
  'createAudioClip',
  'explainRule',
  'extractAudioClips',
  'findDeviceByName',
  'findKnownUploads',
  'listAgents',
  'listAudioClipPage',
  'listAudioClips',
  'listAudioClipsOfDevices',
  'listAudioClipsWithTags',
  'listAuditEntries',
  'listDeviceHealth',
  'listDevices',
  'listEventPage',
  'listEvents',
  'listEventTypesOfAgent',
  'listLogMessages',
  'listPendingEvents',
  'listRuleAlerts',
  'listRuleMatches',
  'listTalkgroups',
  'proveUploads',
  'registerAgent',
  'searchCaptionFacets',
  'searchCaptions',
]);

/** The answer to a repeated report would be a 409 although the first one was accepted. */
const unrepeatablePuts: ReadonlySet<string> = new Set(['reportEvent', 'changePassword', 'putAudioClipContent']);

export function isRepeatable(name: string, method: string): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return true;
  if (method === 'PUT') return !unrepeatablePuts.has(name);
  return method === 'POST' && repeatablePosts.has(name);
}

interface Call {
  readonly name: string;
  readonly method: string;
  readonly body: unknown;
}

const firstDelayMs = 250;

export async function callWithRetries<Result>(
  { name, method, body }: Call,
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
      if (attempt >= mostRetries || signal?.aborted || !mayRepeat(error, isRepeatable(name, method))) throw error;
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
