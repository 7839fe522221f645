import type { SentEvent } from '@earshot/client/event-source';
import { readEvents } from '@earshot/client/event-source';
import type { Credential } from '@earshot/client/credential';
import type { LiveChange } from '@earshot/contract/live';

export interface Change extends LiveChange {
  readonly id: string;
  readonly event: string;
}

/** A listener that keeps everything that it receives. */
export interface Stream {
  readonly response: Response;
  /** Everything, including comments. */
  readonly events: readonly SentEvent[];
  readonly changes: readonly Change[];
  /** The position with which it would resume. */
  readonly position: string;
  /** Resolves with the first change that matches, received or to come. */
  until(matches: (change: Change) => boolean): Promise<Change>;
  /** Resolves when the change of this device has arrived. */
  untilDevice(key: number | undefined): Promise<Change>;
  /**
   * The changes since the last mark. The mark is a new device that the listener can read: the log is in order, so no
   * earlier change is still on its way. A stream may begin with changes from just before it, so tests set a first mark.
   */
  heard(addMark: () => Promise<{ key?: number }>): Promise<readonly Change[]>;
  /** Like `until`, for any message. */
  untilEvent(matches: (event: SentEvent) => boolean): Promise<SentEvent>;
  /** Resolves when the server ends the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

type Who = { readonly cookie: string } | { readonly credential: Credential };

export const headersOf = (who: Who): Record<string, string> =>
  'cookie' in who
    ? { cookie: who.cookie }
    : { authorization: `Basic ${btoa(`${who.credential.accessKey}:${who.credential.secretKey}`)}` };

export const requestLive = (
  url: string,
  headers: Record<string, string>,
  signal?: AbortSignal,
  kinds?: string,
  named?: string,
): Promise<Response> => {
  const query = new URLSearchParams({
    ...(kinds === undefined ? {} : { kinds }),
    ...(named === undefined ? {} : { changes: named }),
  });
  return fetch(new URL(`/v1/live?${query.toString()}`, url), {
    headers,
    signal: signal ?? null,
  });
};

export async function openStream(
  url: string,
  who: Who,
  lastEventID?: string,
  kinds?: string,
  named?: string,
): Promise<Stream> {
  const closing = new AbortController();
  const resume = lastEventID === undefined ? {} : { 'last-event-id': lastEventID };
  const response = await requestLive(url, { ...headersOf(who), ...resume }, closing.signal, kinds, named);
  if (!response.ok || !response.body) throw new Error(`no stream: ${response.status} ${await response.text()}`);
  const events: SentEvent[] = [];
  const changes: Change[] = [];
  const waiting = new Set<() => void>();
  let isEnded = false;

  async function read(body: ReadableStream<Uint8Array>): Promise<void> {
    try {
      for await (const sent of readEvents(body)) {
        events.push(sent);
        const { id, event, data } = sent;
        if (id !== undefined && data !== undefined && event !== 'reset')
          changes.push({ id, event, ...JSON.parse(data) });
        for (const look of waiting) look();
      }
    } catch {
      // Cut off by either side, which also counts as the end.
    }
    isEnded = true;
    for (const look of waiting) look();
  }

  function untilFound<Item>(items: readonly Item[], matches: (item: Item) => boolean): Promise<Item> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = items.find(matches);
        if (found !== undefined) resolve(found);
        else if (isEnded) reject(new Error('the stream ended before the expected message'));
        else return;
        waiting.delete(look);
      };
      waiting.add(look);
      look();
    });
  }

  const untilDevice = (key: number | undefined) =>
    untilFound(changes, (change) => change.event === 'device' && change.key === key);
  let marked = 0;

  const stream: Stream = {
    response,
    events,
    changes,
    get position() {
      return events.findLast(({ id }) => id !== undefined)?.id ?? '';
    },
    until: (matches) => untilFound(changes, matches),
    untilDevice,
    async heard(addMark) {
      const mark = await untilDevice((await addMark()).key);
      const since = changes.slice(marked, changes.indexOf(mark));
      marked = changes.indexOf(mark) + 1;
      return since;
    },
    untilEvent: (matches) => untilFound(events, matches),
    ended: read(response.body),
    close: () => closing.abort(),
  };
  await stream.untilEvent(({ id }) => id !== undefined);
  return stream;
}
