/** One server-sent event as it came. `data` is undefined for a line that only says how far the stream is. */
export interface SentEvent {
  readonly event: string;
  readonly data: string | undefined;
  readonly id: string | undefined;
}

/**
 * Reads server-sent events (HTML standard, 9.2.6) from the body of an answer. Comments come out as events without
 * data, so that a reader knows that the stream lives.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<SentEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      // What is not ended by an empty line was cut off, and is not an event.
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n').split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield readBlock(block);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function readBlock(block: string): SentEvent {
  let event = 'message';
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === 'event') event = value;
    if (field === 'id') id = value;
    if (field === 'data') data.push(value);
  }
  return { event, id, data: data.length > 0 ? data.join('\n') : undefined };
}
