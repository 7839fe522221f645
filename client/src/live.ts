import type { LiveChange, LiveKind } from '@earshot/contract/live';
import { listenToChanges } from '@earshot/contract/live';
import { ApiError } from './api-error.ts';
import type { ClientOptions } from './client.ts';
import { credentialHeaders } from './credential.ts';
import type { SentEvent } from './event-source.ts';
import { readEvents } from './event-source.ts';

/** A change; or `reset`, when some may have been missed and what is shown should be loaded anew. */
export type LiveMessage =
  | ({ readonly id: string; readonly event: LiveKind } & LiveChange)
  | { readonly id: string; readonly event: 'reset' };

export interface ListenOptions {
  /** Goes on after this one; the `id` of the last message that was dealt with. */
  readonly lastEventID?: string;
  readonly signal?: AbortSignal;
  /** Told when the stream is open, and when it is lost and being made again. */
  readonly onConnection?: (isOpen: boolean) => void;
}

const firstDelayMs = 250;
const longestDelayMs = 30_000;
/** The server says something every 15 s; a connection that is silent for longer is dead. */
const silenceMs = 45_000;

/**
 * Every change that the caller may see, from now on, for as long as it is iterated. Lost connections are made again,
 * with growing delays, and go on where the last one ended: nothing is missed, nothing comes twice. It throws only when
 * the server refuses the caller, and ends when the signal is aborted.
 */
export async function* listen(
  options: ClientOptions,
  { lastEventID, signal, onConnection }: ListenOptions = {},
): AsyncGenerator<LiveMessage> {
  let position = lastEventID;
  let delayMs = firstDelayMs;
  const isOver = () => signal?.aborted ?? false;
  while (!isOver()) {
    try {
      for await (const { id, event, data } of connect(options, position, signal, onConnection)) {
        delayMs = firstDelayMs;
        if (data !== undefined && id !== undefined) yield messageOf(id, event, data);
        position = id ?? position;
      }
    } catch (error) {
      if (isOver()) return;
      if (isFinal(error)) throw error;
      if (error instanceof ApiError) delayMs = Math.max(delayMs, (error.retryAfterSeconds ?? 0) * 1_000);
    }
    if (!isOver()) onConnection?.(false);
    // Spread out, so that the listeners of a server that restarts do not all come at once.
    await wait(delayMs * (0.75 + Math.random() * 0.5), signal);
    delayMs = Math.min(delayMs * 2, longestDelayMs);
  }
}

/** Trying again would be refused again; 408, 429 and faults of the server pass. */
const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && ![408, 429].includes(error.status);

function messageOf(id: string, event: string, data: string): LiveMessage {
  return event === 'reset' ? { id, event } : { id, event: event as LiveKind, ...(JSON.parse(data) as LiveChange) };
}

async function* connect(
  options: ClientOptions,
  position: string | undefined,
  signal: AbortSignal | undefined,
  onConnection: ListenOptions['onConnection'],
): AsyncGenerator<SentEvent> {
  const { method, path } = listenToChanges;
  const silence = new AbortController();
  const limit = () => setTimeout(() => silence.abort(), silenceMs);
  let timer = limit();
  try {
    const response = await (options.fetch ?? fetch)(new URL(path, options.url), {
      method,
      headers: {
        ...(await credentialHeaders(options.credential, { method, path, query: [], body: '' })),
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

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
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
