import { afterEach, beforeEach, expect, test } from 'vitest';
import { noise } from '../../../testing/speech.ts';
import { EngineUnavailable, ListeningFailed } from '../engine.ts';
import { failureOf, json, key, RemoteServer } from './testing/remote-server.ts';

let server: RemoteServer;

beforeEach(async () => {
  server = new RemoteServer();
  await server.start();
});
afterEach(() => server.stop());

const whole = { language: 'en', text: 'yes', segments: [{ start: 0, end: 1, text: ' yes' }] };
const failing = (times: number, status: number, headers = {}) => {
  server.answer = (request, response) =>
    (server.asked.length <= times ? json({ error: { message: 'busy' } }, status, headers) : json(whole))(
      request,
      response,
    );
};

test.each([429, 500, 502, 503, 504])('a call with status %i is retried', async (status) => {
  failing(2, status);
  expect((await server.caption(noise(1))).segments).toHaveLength(1);
  expect(server.asked).toHaveLength(3);
});

test('the number of retries is limited', async () => {
  failing(100, 503, { 'retry-after': '0' });
  const failure = await failureOf(server.caption(noise(1)));
  expect(failure).toBeInstanceOf(EngineUnavailable);
  expect(failure.message).toBe('the OpenAI-compatible server answered 503: busy');
  expect(server.asked).toHaveLength(5);
});

test('a retry waits as long as the server asks; a long wait is reported to the caller', async () => {
  failing(100, 429, { 'retry-after': '7200' });
  expect(await failureOf(server.caption(noise(1)))).toMatchObject({
    name: 'EngineUnavailable',
    retryAfterMs: 7_200_000,
  });
  expect(server.asked).toHaveLength(1);
  server.answer = json({}, 503, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() });
  const { retryAfterMs = 0 } = await failureOf(server.caption(noise(1)));
  expect(retryAfterMs).toBeGreaterThan(3_500_000);
  expect(server.asked).toHaveLength(2);
});

test.each([
  [
    401,
    { error: { message: `Incorrect API key provided: ${key}.`, code: 'invalid_api_key' } },
    'Incorrect API key provided: ….',
  ],
  [
    429,
    { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } },
    'You exceeded your current quota',
  ],
  [404, { detail: "Model 'x' is not installed" }, "Model 'x' is not installed"],
  [403, '<html>proxy</html>', ''],
])('status %i, which a retry does not help, is reported at once, without the key', async (status, body, said) => {
  server.answer =
    typeof body === 'string' ? (_, response) => void response.writeHead(status).end(body) : json(body, status);
  const failure = await failureOf(server.caption(noise(1)));
  expect(failure).toBeInstanceOf(EngineUnavailable);
  expect(failure.message).toBe(`the OpenAI-compatible server answered ${status}${said === '' ? '' : `: ${said}`}`);
  expect(server.asked).toHaveLength(1);
});

test.each([
  [400, { error: 'failed to read audio data' }, 'failed to read audio data'],
  [
    400,
    { err_code: 'Bad Request', err_msg: 'corrupt or unsupported data', request_id: 'u' },
    'corrupt or unsupported data',
  ],
  [422, { detail: [{ loc: ['file'], msg: 'Field required' }] }, 'Field required'],
  [
    413,
    { category: 'C', message: 'Too large.', details: 'At most 25 MB', request_id: 'u' },
    'Too large. At most 25 MB',
  ],
])('status %i concerns the clip, and its reason is reported', async (status, body, said) => {
  server.answer = json(body, status);
  const failure = await failureOf(server.caption(noise(1)));
  expect(failure).toBeInstanceOf(ListeningFailed);
  expect(failure.message).toBe(`the OpenAI-compatible server answered ${status}: ${said}`);
  // A request that is refused may have the wrong form, so it is sent once more in the other one.
  expect(server.asked).toHaveLength(status === 413 ? 1 : 2);
});

test('a server that is unreachable, disconnects, redirects or sends another format', async () => {
  server.answer = (_, response) => void response.socket?.destroy();
  expect(await failureOf(server.caption(noise(1)))).toBeInstanceOf(EngineUnavailable);
  server.answer = (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end();
  expect((await failureOf(server.caption(noise(1)))).message).toContain('answered 302');
  server.answer = (_, response) => void response.end('hello');
  expect((await failureOf(server.caption(noise(1)))).message).toContain('not a transcript');
  await server.stop();
  const gone = server.caption(noise(1));
  expect((await failureOf(gone)).message).toBe('the OpenAI-compatible server cannot be reached: ECONNREFUSED');
});

test('a call without a response ends at its time limit, and at once when it is aborted', async () => {
  server.answer = () => {};
  const late = server.caption(noise(1), { timeoutSeconds: 0.2 });
  expect(await failureOf(late)).toMatchObject({
    name: 'ListeningFailed',
    message: expect.stringContaining('0.2 seconds'),
  });
  const stop = new AbortController();
  server.answer = () => stop.abort(new Error('no longer wanted'));
  expect((await failureOf(server.caption(noise(1), {}, stop.signal))).message).toBe('no longer wanted');
});

test('missing or wrong fields in the response are tolerated', async () => {
  for (const body of [
    null,
    [],
    'text',
    { segments: 'none' },
    { segments: [null, { words: [1, null] }] },
    { words: [{}] },
  ]) {
    server.answer = json(body);
    expect((await server.caption(noise(1))).segments.flatMap(({ words }) => words)).toEqual([]);
  }
  server.answer = json({ segments: [{ start: -5, end: 1e5, text: 'far out' }] });
  for (const { startMs, endMs } of (await server.caption(noise(2))).segments) {
    expect(startMs).toBeGreaterThanOrEqual(0);
    expect(endMs).toBeLessThanOrEqual(2_000);
  }
});
