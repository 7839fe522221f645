import type { LiveChange } from '@earshot/contract/live';
import type { LiveChangeName, LiveKind } from '@earshot/contract/live-change';
import { listenToChanges } from '@earshot/contract/live';
import { ApiError } from './api-error.ts';
import type { ClientOptions } from './client.ts';
import type { SentEvent } from './event-source.ts';
import { readEvents } from './event-source.ts';
import { isPermanent, longestDelayMs, wait } from './retry.ts';
import { sendRequest } from './send-request.ts';

/** A change; or `reset` if changes may have been missed and the data should be reloaded. */
export type LiveMessage =
  | ({ readonly id: string; readonly event: LiveKind } & LiveChange)
  | { readonly id: string; readonly event: 'reset' };

export interface ListenOptions {
  /** Continues after this message: the `id` of the last one that was processed. */
  readonly lastEventID?: string;
  /** Only these kinds of records. Missing: all but `rulematch` and `alert`. */
  readonly kinds?: readonly LiveKind[];
  /** Only changes with these names, instead of `kinds`. */
  readonly changes?: readonly LiveChangeName[];
  readonly signal?: AbortSignal;
  /** Called when the stream is connected, and when the connection is lost. */
  readonly onConnection?: (isOpen: boolean) => void;
}

const firstDelayMs = 250;
/** The server sends something every 15 s; a connection without data for longer is dead. */
const silenceMs = 45_000;

/**
 * Subscribes to every change that the caller may see, from now on, while it is iterated. Reconnects with backoff and
 * resumes where the last connection ended, so that no change is missed or repeated. Throws only if the server refuses
 * the caller; ends when the signal aborts.
 */
export async function* listen(
  options: ClientOptions,
  { lastEventID, kinds, changes, signal, onConnection }: ListenOptions = {},
): AsyncGenerator<LiveMessage> {
  let position = lastEventID;
  let delayMs = firstDelayMs;
  const isOver = () => signal?.aborted ?? false;
  while (!isOver()) {
    try {
      for await (const { id, event, data } of connect(options, { position, kinds, changes }, signal, onConnection)) {
        delayMs = firstDelayMs;
        if (data !== undefined && id !== undefined) yield messageOf(id, event, data);
        position = id ?? position;
      }
    } catch (error) {
      if (isOver()) return;
      if (isPermanent(error)) throw error;
      if (error instanceof ApiError) delayMs = Math.max(delayMs, (error.retryAfterSeconds ?? 0) * 1_000);
    }
    if (!isOver()) onConnection?.(false);
    // Random delays, so that not all clients of a restarted server reconnect at the same time.
    await wait(delayMs * (0.75 + Math.random() * 0.5), signal);
    delayMs = Math.min(delayMs * 2, longestDelayMs);
  }
}

function messageOf(id: string, event: string, data: string): LiveMessage {
  return event === 'reset' ? { id, event } : { id, event: event as LiveKind, ...(JSON.parse(data) as LiveChange) };
}

async function* connect(
  options: ClientOptions,
  {
    position,
    kinds,
    changes,
  }: {
    readonly position: string | undefined;
    readonly kinds: readonly LiveKind[] | undefined;
    readonly changes: readonly LiveChangeName[] | undefined;
  },
  signal: AbortSignal | undefined,
  onConnection: ListenOptions['onConnection'],
): AsyncGenerator<SentEvent> {
  const { method, path } = listenToChanges;
  const url = new URL(path, options.url);
  if (kinds) url.searchParams.set('kinds', kinds.join(','));
  if (changes) url.searchParams.set('changes', changes.join(','));
  const silence = new AbortController();
  const limit = () => setTimeout(() => silence.abort(), silenceMs);
  let timer = limit();
  try {
    const response = await sendRequest(options, {
      method,
      url,
      headers: {
        accept: 'text/event-stream',
        ...(position === undefined ? {} : { 'last-event-id': position }),
      },
      signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
    });
    if (!response.ok || !response.body) throw ApiError.from(response, await response.text());
    onConnection?.(true);
    for await (const event of readEvents(response.body)) {
      clearTimeout(timer);
      timer = limit();
      yield event;
    }
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}
