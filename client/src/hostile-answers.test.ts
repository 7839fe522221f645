import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { createClient } from './client.ts';
import { RedirectRefused } from './send-request.ts';
import { UploadConflict, uploadRecording } from './upload.ts';

const url = 'http://server.example';
const sound = new Blob([new Uint8Array(1_000)]);
const credential = { accessKey: 'EK1', secretKey: 'secret' };

/** Answers every request the same way, and counts the bytes that were sent. */
function answering(answer: (call: { readonly url: URL; readonly init: RequestInit }) => Response) {
  const seen = { requests: 0, bytes: 0, hosts: new Set<string>(), inits: [] as RequestInit[] };
  const send: typeof fetch = async (input, init = {}) => {
    seen.requests += 1;
    seen.bytes += init.body instanceof Blob ? init.body.size : 0;
    seen.hosts.add((input as URL).host);
    seen.inits.push(init);
    return answer({ url: input as URL, init });
  };
  return { seen, send };
}

test.each([
  ['a JSON object', () => Response.json({ ok: true })],
  ['a page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ['an offset that is none', () => new Response('', { headers: { location: '/v1/upload/1', 'upload-offset': 'x' } })],
  ['no progress', () => new Response('', { headers: { location: '/v1/upload/1', 'upload-offset': '0' } })],
])('a success with %s is no upload', async (_name, answer) => {
  const { seen, send } = answering(answer);
  const errors: unknown[] = [];
  const mayRetry = (error: unknown) => {
    errors.push(error);
    return false;
  };
  await expect(uploadRecording({ url, fetch: send }, { sound, metadata: {} }, { mayRetry })).rejects.toThrow(
    'says nothing of an upload',
  );
  expect(seen.bytes).toBe(sound.size);
  expect(errors).toHaveLength(1);
});

test('an upload may be created without bytes', async () => {
  let sent = 0;
  const { send } = answering(({ init }) => {
    sent += init.body instanceof Blob ? init.body.size : 0;
    const clip = sent === sound.size ? { 'earshot-clip-id': '7' } : {};
    return new Response('', { headers: { location: '/v1/upload/1', 'upload-offset': String(sent), ...clip } });
  });
  let location: string | undefined;
  const later = { size: sound.size, slice: (from: number, to: number) => sound.slice(from, location ? to : from) };
  const onLocation = (address: string) => (location = address);
  expect(await uploadRecording({ url, fetch: send }, { sound: later, metadata: {} }, { onLocation })).toBe(7);
});

test('an upload whose offset never agrees ends', async () => {
  const { seen, send } = answering(({ init }) =>
    init.method === 'PATCH'
      ? new Response('', { status: 409 })
      : new Response('', { headers: { location: '/v1/upload/1', 'upload-offset': '10' } }),
  );
  const options = { url, fetch: send };
  await expect(uploadRecording(options, { sound, metadata: {} }, { mayRetry: () => false })).rejects.toBeInstanceOf(
    UploadConflict,
  );
  expect(seen.bytes).toBeLessThan(5 * sound.size);
});

test.each([301, 302, 303, 307, 308])('a %i to another origin gets no body and no credential', async (status) => {
  const { seen, send } = answering(() => new Response('', { status, headers: { location: 'http://portal.example/' } }));
  const options = { url, credential, fetch: send };
  await expect(uploadRecording(options, { sound, metadata: {} })).rejects.toBeInstanceOf(RedirectRefused);
  await expect(createClient(options).getDevice({ params: { deviceID: 1 } })).rejects.toThrow(
    'server.example redirects to http://portal.example',
  );
  expect([...seen.hosts]).toEqual(['server.example']);
  expect(seen.inits.map(({ redirect }) => redirect)).toEqual(['manual', 'manual']);
});

test('a redirect within the origin is followed by a read, and signed for its new path', async () => {
  const { seen, send } = answering(({ url: { pathname } }) =>
    pathname === '/moved'
      ? Response.json({ key: 1 })
      : new Response('', { status: 307, headers: { location: '/moved' } }),
  );
  const client = createClient({ url, credential: { ...credential, signed: true }, fetch: send });
  expect(await client.getDevice({ params: { deviceID: 1 } })).toEqual({ key: 1 });
  const [first, second] = seen.inits.map(({ headers }) => (headers as Record<string, string>)['x-signature']);
  expect(first).not.toBe(second);
  await expect(client.createDevice({ body: { deviceSerial: 'x' } })).rejects.toBeInstanceOf(RedirectRefused);
  const round = answering(() => new Response('', { status: 302, headers: { location: '/again' } }));
  await expect(createClient({ url, fetch: round.send }).getVersion()).rejects.toBeInstanceOf(RedirectRefused);
  expect(round.seen.requests).toBe(6);
});

test.each([
  ['17', undefined, 17],
  ['3600', undefined, 600],
  ['31536000', undefined, 600],
  ['Wed, 18 Nov 2026 06:00:30 GMT', 'Wed, 18 Nov 2026 06:00:00 GMT', 30],
  ['Thu, 18 Nov 2027 06:00:00 GMT', 'Wed, 18 Nov 2026 06:00:00 GMT', 600],
  ['Wed, 18 Nov 2020 06:00:00 GMT', 'Wed, 18 Nov 2026 06:00:00 GMT', 0],
  ['soon', undefined, undefined],
  ['-5', undefined, undefined],
  ['1e9', undefined, undefined],
  ['', undefined, undefined],
])('Retry-After "%s" sent at %s asks for %s seconds', (retryAfter, date, seconds) => {
  const headers = { 'retry-after': retryAfter, ...(date === undefined ? {} : { date }) };
  expect(ApiError.from(new Response('', { status: 503, headers }), '').retryAfterSeconds).toBe(seconds);
});

test('a signature has the given time', async () => {
  const { seen, send } = answering(() => Response.json({}));
  const options = { url, credential: { ...credential, signed: true }, fetch: send, now: () => 1_700_000_000_999 };
  await createClient(options).getVersion();
  expect(new Headers(seen.inits[0]?.headers).get('x-timestamp')).toBe('1700000000');
});
