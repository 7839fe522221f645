import { readPlace } from '@earshot/contract/live-place';
import { createParser } from 'eventsource-parser';

/** One server-sent event. `data` is undefined for a comment, which may contain the position of the stream. */
export interface SentEvent {
  readonly event: string;
  readonly data: string | undefined;
  readonly id: string | undefined;
}

/**
 * Reads server-sent events (HTML standard, 9.2.6) from a response body. Comments are returned as events without data,
 * so that a reader can detect a dead connection. An incomplete event is not reported.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<SentEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const events: SentEvent[] = [];
  const parser = createParser({
    onEvent: ({ event = 'message', id, data }) => void events.push({ event, id, data }),
    onComment: (text) => void events.push({ event: 'message', id: readPlace(text), data: undefined }),
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* events.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
