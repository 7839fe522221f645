import { expect, test } from 'vitest';
import { sender } from '../../../../../tests/wire/send.ts';
import { describeBothKinds } from './both-kinds.ts';
import { sha256, tinyWav } from './sound.ts';
import { addFile } from './uploading.ts';

// Neighbouring bytes are different.
const bytes = tinyWav(1);
const size = bytes.length;
const etag = `"${sha256(bytes)}"`;

interface Row {
  readonly asked: Readonly<Record<string, string>>;
  readonly status: number;
  /** The part of the bytes in the response; all if missing. */
  readonly part?: readonly [start: number, end: number];
}

const rows: readonly Row[] = [
  { asked: {}, status: 200 },
  { asked: { range: 'bytes=0-0' }, status: 206, part: [0, 1] },
  { asked: { range: 'bytes=0-99' }, status: 206, part: [0, 100] },
  { asked: { range: 'bytes=1000-1999' }, status: 206, part: [1000, 2000] },
  { asked: { range: `bytes=${size - 1}-` }, status: 206, part: [size - 1, size] },
  { asked: { range: 'bytes=100-' }, status: 206, part: [100, size] },
  { asked: { range: 'bytes=0-' }, status: 206, part: [0, size] },
  { asked: { range: 'bytes=-1' }, status: 206, part: [size - 1, size] },
  { asked: { range: 'bytes=-100000000' }, status: 206, part: [0, size] },
  { asked: { range: 'bytes=10-100000000' }, status: 206, part: [10, size] },
  { asked: { range: `bytes=${size}-` }, status: 416 },
  { asked: { range: 'bytes=-0' }, status: 416 },
  // Several ranges, other units and malformed ranges: the whole content.
  { asked: { range: 'bytes=0-1,5-6' }, status: 200 },
  { asked: { range: 'seconds=0-1' }, status: 200 },
  { asked: { range: 'bytes=9-5' }, status: 200 },
  { asked: { range: 'nonsense' }, status: 200 },
  { asked: { 'if-none-match': etag }, status: 304 },
  { asked: { 'if-none-match': `W/${etag}` }, status: 304 },
  { asked: { 'if-none-match': '*' }, status: 304 },
  { asked: { 'if-none-match': '"other"' }, status: 200 },
  { asked: { 'if-none-match': etag, range: 'bytes=0-9' }, status: 304 },
  { asked: { 'if-none-match': '"other"', range: 'bytes=0-9' }, status: 206, part: [0, 10] },
  { asked: { 'if-match': etag }, status: 200 },
  { asked: { 'if-match': '"other"' }, status: 412 },
  { asked: { 'if-match': '"other"', range: 'bytes=0-9' }, status: 412 },
  { asked: { 'if-match': etag, range: `bytes=${size}-` }, status: 416 },
  { asked: { 'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' }, status: 200 },
  { asked: { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }, status: 304 },
  { asked: { 'if-unmodified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' }, status: 412 },
  { asked: { 'if-unmodified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }, status: 200 },
  { asked: { 'if-none-match': '"other"', 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }, status: 200 },
  { asked: { 'if-range': etag, range: 'bytes=0-9' }, status: 206, part: [0, 10] },
  { asked: { 'if-range': '"other"', range: 'bytes=0-9' }, status: 200 },
  { asked: { 'if-range': `W/${etag}`, range: 'bytes=0-9' }, status: 200 },
  { asked: { 'if-range': 'Thu, 01 Jan 2026 00:00:00 GMT', range: 'bytes=0-9' }, status: 200 },
  { asked: { 'if-range': '"other"', range: `bytes=${size}-` }, status: 200 },
  // The Accept header of a media player is ignored.
  { asked: { accept: 'text/html' }, status: 200 },
];

describeBothKinds('the content of a file', (world) => {
  async function ask(method: string, asked: Row['asked']) {
    const { server } = world();
    const [file] = await server.db<{ key: number }[]>`select key from files where filename = 'ranges.wav'`;
    const key = file?.key ?? (await addFile(server.admin, bytes, { filename: 'ranges.wav' })).key;
    return sender(server.url, { cookie: server.admin.cookie })(`${method} /v1/file/${key}/content`, { headers: asked });
  }

  test.each(rows)('GET with $asked: $status', async ({ asked, status, part: [start, end] = [0, size] }) => {
    const answer = await ask('GET', asked);
    expect(answer.status).toBe(status);
    const { headers } = answer;
    if (status < 300) {
      expect(answer.bytes.equals(bytes.subarray(start, end))).toBe(true);
      expect(headers).toMatchObject({
        etag,
        'content-type': 'audio/wav',
        'content-length': String(end - start),
        'accept-ranges': 'bytes',
        'cache-control': 'private, no-cache',
      });
    }
    expect(headers['content-range']).toBe(
      { 206: `bytes ${start}-${end - 1}/${size}`, 416: `bytes */${size}` }[status] ?? undefined,
    );
    if (status === 304) expect(headers).toMatchObject({ etag, 'cache-control': 'private, no-cache' });
    if (status === 304) expect([answer.text, headers['content-type']]).toEqual(['', undefined]);
    if (status > 400) expect(answer.json).toMatchObject({ status });
  });

  test.each(rows)('HEAD with $asked ignores the range', async ({ asked, status }) => {
    const answer = await ask('HEAD', asked);
    const { range, ...rest } = asked;
    expect(answer.status).toBe(range === undefined ? status : (await ask('HEAD', rest)).status);
    expect(answer.text).toBe('');
    if (answer.status === 200) {
      expect(answer.headers).toMatchObject({ etag, 'content-length': String(size), 'content-type': 'audio/wav' });
    }
  });

  test('the date of the last change works as a condition, to the second', async () => {
    const { headers } = await ask('GET', {});
    const date = headers['last-modified'] ?? '';
    expect((await ask('GET', { 'if-modified-since': date })).status).toBe(304);
    expect((await ask('GET', { 'if-unmodified-since': date })).status).toBe(200);
    expect((await ask('GET', { 'if-range': date, range: 'bytes=0-9' })).status).toBe(206);
  });
});
