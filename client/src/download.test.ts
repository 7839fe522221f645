import { expect, test } from 'vitest';
import type { ClientOptions } from './client.ts';
import { downloadSound } from './download.ts';

const sound = Uint8Array.from({ length: 10_000 }, (_value, at) => at % 251);

/** A server that cuts the connection after some bytes, and knows ranges. */
function cuttingServer({ cutAfter, etag = '"a"' }: { cutAfter: number; etag?: string }) {
  const requests: (string | undefined)[] = [];
  const options: ClientOptions & { etag: string } = {
    url: 'http://server.example',
    etag,
    fetch: async (_input, init) => {
      const headers = init?.headers as Record<string, string>;
      requests.push(headers['range']);
      const isSame = headers['if-range'] === undefined || headers['if-range'] === options.etag;
      const from = isSame ? Number(/bytes=(\d+)-/.exec(headers['range'] ?? '')?.[1] ?? 0) : 0;
      if (from >= sound.length) {
        return new Response('', { status: 416, headers: { 'content-range': `bytes */${sound.length}` } });
      }
      let isSent = false;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (isSent && from + cutAfter < sound.length) controller.error(new TypeError('terminated'));
          else if (isSent) controller.close();
          else controller.enqueue(sound.slice(from, from + cutAfter));
          isSent = true;
        },
      });
      return new Response(body, {
        status: from > 0 ? 206 : 200,
        headers: {
          etag: options.etag,
          'content-type': 'audio/wav',
          'content-length': String(sound.length - from),
          ...(from > 0 ? { 'content-range': `bytes ${from}-${sound.length - 1}/${sound.length}` } : {}),
        },
      });
    },
  };
  return { options, requests };
}

const readAll = async (body: ReadableStream<Uint8Array>) => new Uint8Array(await new Response(body).arrayBuffer());

test('a lost connection is continued, so that every byte arrives once', async () => {
  const { options, requests } = cuttingServer({ cutAfter: 4_000 });
  const progress: number[] = [];
  const { body, size } = await downloadSound(options, 7, { onProgress: (bytes) => void progress.push(bytes) });
  expect(size).toBe(sound.length);
  expect(await readAll(body)).toEqual(sound);
  expect(requests).toEqual([undefined, 'bytes=4000-', 'bytes=8000-']);
  expect(progress).toEqual([4_000, 8_000, 10_000]);
});

test('a download continues after a restart, unless the sound has changed', async () => {
  const { options } = cuttingServer({ cutAfter: 20_000 });
  const rest = await downloadSound(options, 7, { from: { offset: 9_000, etag: '"a"' } });
  expect(rest).toMatchObject({ offset: 9_000, size: 10_000 });
  expect(await readAll(rest.body)).toEqual(sound.slice(9_000));
  const changed = await downloadSound(options, 7, { from: { offset: 9_000, etag: '"b"' } });
  expect(changed.offset).toBe(0);
  expect(await readAll(changed.body)).toEqual(sound);
  const whole = await downloadSound(options, 7, { from: { offset: 10_000, etag: '"a"' } });
  expect(await readAll(whole.body)).toEqual(new Uint8Array());
});

test('a sound that is replaced during the download is an error, not a mixture', async () => {
  const { options } = cuttingServer({ cutAfter: 4_000 });
  const { body } = await downloadSound(options, 7, {
    onRetry: () => {
      options.etag = '"other"';
    },
  });
  await expect(readAll(body)).rejects.toThrow('replaced during the download');
});
