import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import type { UploadOptions } from './upload.ts';
import { UploadConflict, uploadRecording } from './upload.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const url = 'http://server.example';
const bytes = Uint8Array.from({ length: 1_000 }, (_, index) => index % 251);

/** A server that keeps the bytes of uploads; `disturb` may answer in its place. */
function makeServer(disturb: (call: string, count: number) => Response | undefined = () => undefined) {
  const uploads = new Map<string, number[]>();
  const calls: string[] = [];
  const metadata: (string | null)[] = [];
  const timesMs: number[] = [];
  const contentTypes: (string | null)[] = [];
  const answer = (location: string, stored: readonly number[]) =>
    new Response('', {
      headers: {
        location,
        'upload-offset': String(stored.length),
        ...(stored.length === bytes.length ? { 'earshot-clip-id': '7' } : {}),
      },
    });
  const send: typeof fetch = async (input, init = {}) => {
    const { pathname } = input as URL;
    const headers = new Headers(init.headers);
    const offset = headers.get('upload-offset');
    const call = `${init.method} ${offset ?? pathname.slice('/v1/upload'.length)}`.trim();
    calls.push(call);
    timesMs.push(Date.now());
    contentTypes.push(headers.get('content-type'));
    const disturbed = disturb(call, calls.length);
    if (disturbed) return disturbed;
    const sent = [...new Uint8Array(await new Response(init.body).arrayBuffer())];
    if (init.method === 'POST') {
      metadata.push(headers.get('upload-metadata'));
      const location = `/v1/upload/${uploads.size + 1}`;
      uploads.set(location, sent);
      return answer(location, sent);
    }
    const stored = uploads.get(pathname);
    if (!stored) return new Response('', { status: 404 });
    if (init.method === 'PATCH') {
      if (Number(offset) !== stored.length) return new Response('', { status: 409 });
      stored.push(...sent);
    }
    return answer(pathname, stored);
  };
  const upload = (options: UploadOptions = {}, given: Readonly<Record<string, string>> = {}) => {
    const result = uploadRecording({ url, fetch: send }, { sound: new Blob([bytes]), metadata: given }, options);
    result.catch(() => {});
    return vi.runAllTimersAsync().then(() => result);
  };
  return { upload, uploads, calls, metadata, timesMs, contentTypes };
}

const lost = (): never => {
  throw new TypeError('fetch failed');
};

test('a recording is sent in pieces of the asked size, and its progress is told', async () => {
  const { upload, uploads, calls, metadata } = makeServer();
  const [progress, locations]: [number[], string[]] = [[], []];
  const sizes = [300, 300, 900];
  const id = await upload(
    {
      pieceBytes: () => sizes.shift() ?? 0,
      onProgress: (done) => progress.push(done),
      onLocation: (location) => locations.push(location),
    },
    { deviceID: '5', filename: 'Käuzchen.wav' },
  );
  expect(id).toBe(7);
  expect(calls).toEqual(['POST', 'PATCH 300', 'PATCH 600']);
  expect(uploads.get('/v1/upload/1')).toEqual([...bytes]);
  expect(progress).toEqual([300, 600, 1_000]);
  expect(locations).toEqual(['/v1/upload/1']);
  expect(metadata).toEqual([`deviceID NQ==,filename ${Buffer.from('Käuzchen.wav').toString('base64')}`]);
});

test('without a size, one request has all of a small recording', async () => {
  const { upload, calls } = makeServer();
  expect(await upload()).toBe(7);
  expect(calls).toEqual(['POST']);
});

test('an upload that was begun before continues where the server is', async () => {
  const { upload, uploads, calls, contentTypes } = makeServer();
  uploads.set('/v1/upload/1', [...bytes.subarray(0, 400)]);
  const locations: string[] = [];
  expect(await upload({ location: '/v1/upload/1', onLocation: (given) => locations.push(given) })).toBe(7);
  expect(calls).toEqual(['HEAD /1', 'PATCH 400']);
  expect(contentTypes).toEqual([null, 'application/offset+octet-stream']);
  expect(uploads.get('/v1/upload/1')).toEqual([...bytes]);
  expect(locations).toEqual([]);
});

test('an upload that is complete needs no bytes', async () => {
  const { upload, uploads, calls } = makeServer();
  uploads.set('/v1/upload/1', [...bytes]);
  const progress: number[] = [];
  expect(await upload({ location: '/v1/upload/1', onProgress: (done) => progress.push(done) })).toBe(7);
  expect([calls, progress]).toEqual([['HEAD /1'], [1_000]]);
});

test('after a lost connection the server is asked how far it is', async () => {
  const { upload, uploads, calls } = makeServer((_call, count) => (count === 2 ? lost() : undefined));
  const errors: unknown[] = [];
  expect(await upload({ pieceBytes: 400, onRetry: (error) => errors.push(error) })).toBe(7);
  expect(calls).toEqual(['POST', 'PATCH 400', 'HEAD /1', 'PATCH 400', 'PATCH 800']);
  expect(uploads.get('/v1/upload/1')).toEqual([...bytes]);
  expect(errors).toEqual([new TypeError('fetch failed')]);
});

test('an upload that could not be begun is begun again, later and later, at most every half minute', async () => {
  const { upload, calls, timesMs } = makeServer((_call, count) => (count <= 12 ? lost() : undefined));
  expect(await upload()).toBe(7);
  expect(new Set(calls)).toEqual(new Set(['POST']));
  const gaps = timesMs.slice(1).map((time, index) => time - timesMs[index]!);
  for (const [index, gap] of gaps.entries()) {
    const usual = Math.min(500 * 2 ** index, 30_000);
    expect(gap).toBeGreaterThanOrEqual(0.75 * usual - 1);
    expect(gap).toBeLessThanOrEqual(1.25 * usual + 1);
  }
});

test('the delay is short again after progress', async () => {
  const fails = new Set([1, 2, 3, 4, 5, 7]);
  const { upload, timesMs } = makeServer((_call, count) => (fails.has(count) ? lost() : undefined));
  await upload({ pieceBytes: 500 });
  expect(timesMs[5]! - timesMs[4]!).toBeGreaterThan(5_000);
  expect(timesMs[7]! - timesMs[6]!).toBeLessThan(700);
});

test('Retry-After is respected', async () => {
  const busy = () => new Response('', { status: 503, headers: { 'retry-after': '20' } });
  const { upload, timesMs } = makeServer((_call, count) => (count === 1 ? busy() : undefined));
  await upload();
  expect(timesMs[1]! - timesMs[0]!).toBe(20_000);
});

test('an upload that the server no longer has begins again, twice', async () => {
  const gone = (call: string) => (call.startsWith('PATCH') ? new Response('', { status: 410 }) : undefined);
  const once = makeServer((call, count) => (count === 2 ? gone(call) : undefined));
  expect(await once.upload({ pieceBytes: 600 })).toBe(7);
  expect(once.calls).toEqual(['POST', 'PATCH 600', 'POST', 'PATCH 600']);
  const always = makeServer(gone);
  await expect(always.upload({ pieceBytes: 600 })).rejects.toMatchObject({ status: 410 });
  expect(always.calls.filter((call) => call === 'POST')).toHaveLength(3);
});

test.each([400, 404, 409, 413, 423])('a %i to a new upload is a refusal, which is not repeated', async (status) => {
  const { upload, calls } = makeServer(() => new Response('', { status }));
  await expect(upload()).rejects.toBeInstanceOf(ApiError);
  expect(calls).toEqual(['POST']);
});

test('who decides about retries is asked, and ends the upload with the error', async () => {
  const { upload, calls } = makeServer((call) => (call.startsWith('PATCH') ? lost() : undefined));
  const asked: unknown[] = [];
  const mayRetry = (error: unknown) => asked.push(error) < 2;
  await expect(upload({ pieceBytes: 600, mayRetry })).rejects.toThrow('fetch failed');
  expect(calls).toEqual(['POST', 'PATCH 600', 'HEAD /1', 'PATCH 600']);
});

test.each([409, 423])('a %i asks for the offset again; the third without progress is a conflict', async (status) => {
  const refuse = (call: string) => (call.startsWith('PATCH') ? new Response('', { status }) : undefined);
  const { upload, calls } = makeServer(refuse);
  await expect(upload({ pieceBytes: 600, mayRetry: () => false })).rejects.toBeInstanceOf(UploadConflict);
  expect(calls.filter((call) => call === 'PATCH 600')).toHaveLength(3);
  // Without a decision by the caller it goes on for as long as it takes.
  const patient = makeServer((call, count) => (count < 12 ? refuse(call) : undefined));
  expect(await patient.upload({ pieceBytes: 600 })).toBe(7);
  // Progress begins the count again.
  const slow = makeServer((call, count) => (count % 3 === 2 ? refuse(call) : undefined));
  expect(await slow.upload({ pieceBytes: 150, mayRetry: () => false })).toBe(7);
});

test('an aborted upload sends nothing more', async () => {
  const stop = new AbortController();
  const { upload, calls } = makeServer((_call, count) => {
    if (count === 2) stop.abort(new Error('stopped'));
    return undefined;
  });
  await expect(upload({ pieceBytes: 100, signal: stop.signal })).rejects.toThrow('stopped');
  expect(calls).toEqual(['POST', 'PATCH 100']);
  const during = makeServer(() => lost());
  const waiting = new AbortController();
  setTimeout(() => waiting.abort(new Error('stopped')), 100);
  await expect(during.upload({ signal: waiting.signal })).rejects.toThrow('stopped');
  expect(during.calls).toEqual(['POST']);
});

test('a signed request has its bytes in the signature', async () => {
  const bodies: unknown[] = [];
  const send: typeof fetch = async (_input, init = {}) => {
    bodies.push(init.body);
    return new Response('', { headers: { 'earshot-clip-id': '7' } });
  };
  const credential = { accessKey: 'EK1', secretKey: 'secret' };
  for (const signed of [true, false]) {
    const options = { url, fetch: send, credential: { ...credential, signed } };
    expect(await uploadRecording(options, { sound: new Blob([bytes]), metadata: {} })).toBe(7);
  }
  expect(bodies).toEqual([expect.any(Uint8Array), expect.any(Blob)]);
});
