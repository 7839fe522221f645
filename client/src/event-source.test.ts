import { expect, test } from 'vitest';
import type { SentEvent } from './event-source.ts';
import { readEvents } from './event-source.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

function streamOf(bytes: Uint8Array, chunkLength: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let first = 0; first < bytes.length; first += chunkLength) {
        controller.enqueue(bytes.slice(first, first + chunkLength));
      }
      controller.close();
    },
  });
}

async function read(text: string | Uint8Array, chunkLength = Infinity): Promise<SentEvent[]> {
  const bytes = typeof text === 'string' ? bytesOf(text) : text;
  const events: SentEvent[] = [];
  for await (const event of readEvents(streamOf(bytes, Math.min(chunkLength, bytes.length)))) events.push(event);
  return events;
}

const texts: readonly [name: string, text: string][] = [
  ['a line separator', 'before\u2028after'],
  ['a paragraph separator', 'before\u2029after'],
  ['nothing but separators', '\u2028\u2029\u2028'],
  ['a next line', 'before\u0085after'],
  ['a vertical tab', 'before\u000bafter'],
  ['a form feed', 'before\fafter'],
  ['line ends, which JSON escapes', 'one\ntwo\rthree\r\nfour\n\nfive'],
  ['file, group, record and unit separators', '\u001c\u001d\u001e\u001f'],
  ['astral characters', '𝄞 🎙️ 👩‍👩‍👧‍👦 𠮷'],
  ['a byte order mark', '\ufeffbefore\ufeffafter'],
  ['spaces at both ends', '  \u00a0text\u3000 '],
  ['colons and field names', 'data: event: id: : at 1-2'],
  ['combining and right-to-left', 'é שלום ‮abc'],
  ['a hundred thousand characters', 'ä\u2028'.repeat(50_000)],
];

test.each(texts)('%s in the data comes out as it went in, however the stream is cut', async (_name, text) => {
  const data = JSON.stringify({ text });
  const sent = `: at 5-6\nid: 5-6\n\nid: 7-8\nevent: device\ndata: ${data}\n\n: still here\n\n`;
  const expected = [
    { event: 'message', id: '5-6', data: undefined },
    { event: 'device', id: '7-8', data },
    { event: 'message', id: undefined, data: undefined },
  ];
  for (const chunkLength of text.length > 1_000 ? [Infinity, 1_000, 65_537] : [Infinity, 1, 2, 3, 7]) {
    expect(await read(sent, chunkLength)).toEqual(expected);
  }
});

test.each(['\n', '\r\n', '\r'])('lines may end in %j, cut anywhere', async (end) => {
  const lines = ['id: 1', 'event: device', 'data: {"a":', 'data:"b"}', '', ': hi', '', 'data', 'data: x', '', ''];
  const expected = [
    { event: 'device', id: '1', data: '{"a":\n"b"}' },
    { event: 'message', id: undefined, data: undefined },
    { event: 'message', id: undefined, data: '\nx' },
  ];
  for (const chunkLength of [Infinity, 1, 2, 3, 5]) {
    // What follows a bare CR tells whether an LF belongs to it.
    const text = `${lines.join(end)}${end === '\r' ? 'ignored\r' : ''}`;
    expect(await read(text, chunkLength), `chunks of ${chunkLength}`).toEqual(expected);
  }
});

test('a byte order mark at the start is not part of the first field', async () => {
  expect(await read('\ufeffdata: x\n\n', 1)).toEqual([{ event: 'message', id: undefined, data: 'x' }]);
});

test('what is cut off before its empty line is no event, and does not move the place', async () => {
  expect(await read('id: 1\ndata: x\n\nid: 2\ndata: y\n')).toEqual([{ event: 'message', id: '1', data: 'x' }]);
});

test('fields that are not known are passed over', async () => {
  expect(await read('retry: 5\nfoo: bar\nID: 9\ndata: x\n\n')).toEqual([
    { event: 'message', id: undefined, data: 'x' },
  ]);
});
