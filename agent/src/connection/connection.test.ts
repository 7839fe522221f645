import { createHmac, randomBytes } from 'node:crypto';
import { ApiError } from '@earshot/client/api-error';
import { uploadRecording } from '@earshot/client/upload';
import { canonicalBytes } from '@earshot/contract/signing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { judgeFailure, retryDelayMs } from '../failure.ts';
import { connect, failureOf, limitsOf, mark, secretKey, versionOr } from '../testing/scripted-platform.ts';
import { createBodyGate } from './body-gate.ts';
import { connectPlatform } from './connection.ts';
import { isAgainstOne, NetworkFault, NotThePlatform } from './network-fault.ts';
import { createPace } from './paced-body.ts';

test('requests over http are signed with the time of the platform, and never have the secret', async () => {
  const date = 'Tue, 01 Jan 2030 00:00:00 GMT';
  const { client, received, sendSound } = await connect((_received, response) =>
    response.writeHead(200, { ...mark, date }).end('{"key":1}'),
  );
  await client.getDevice({ params: { deviceID: 1 } });
  await sendSound(100_000);
  expect(received.map(({ request }) => `${request.method} ${request.url}`)).toEqual([
    'GET /v1/version',
    'GET /v1/device/1',
    'PATCH /v1/upload/1',
  ]);
  const [first, ...signed] = received;
  expect(first?.request.headers.authorization).toBeUndefined();
  for (const { request, body } of signed) {
    const {
      authorization = '',
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-signature': signature,
    } = request.headers;
    expect(authorization).toBe('HMAC-SHA256 EK1');
    expect(Math.abs(Number(timestamp) - Date.parse(date) / 1_000)).toBeLessThan(60);
    const parts = { method: request.method ?? '', path: request.url ?? '', query: [], body, authorization };
    const text = canonicalBytes(
      { ...parts, accessKey: 'EK1', timestamp: String(timestamp), nonce: String(nonce) },
      false,
    );
    expect(signature).toBe(createHmac('sha256', secretKey).update(text).digest('hex'));
  }
  expect(signed[1]?.body).toHaveLength(100_000);
});

test('a signature that is refused for its time is repeated once, with the right time', async () => {
  let date = 'Tue, 01 Jan 2030 00:00:00 GMT';
  const { client, received } = await connect(({ request }, response) => {
    const isRight = Math.abs(Number(request.headers['x-timestamp']) * 1_000 - Date.parse(date)) < 300_000;
    const status = request.url === '/v1/version' || isRight ? 200 : 401;
    response.writeHead(status, { ...mark, date }).end('{"key":1}');
  });
  await client.getDevice({ params: { deviceID: 1 } });
  date = 'Wed, 01 Jan 2031 00:00:00 GMT';
  expect(await client.getDevice({ params: { deviceID: 2 } })).toEqual({ key: 1 });
  expect(received.map(({ request }) => request.url)).toEqual([
    '/v1/version',
    '/v1/device/1',
    '/v1/device/2',
    '/v1/device/2',
  ]);
});

test('a wrong key is refused at once', async () => {
  const { client, received } = await connect(
    versionOr((_received, response) => response.writeHead(401, mark).end('{}')),
  );
  expect(await failureOf(client.getDevice({ params: { deviceID: 1 } }))).toMatchObject({ status: 401 });
  expect(received).toHaveLength(2);
});

test('who never answers is given up, with and without a body', async () => {
  let isTarpit = false;
  const { client, sendSound, limits } = await connect((_received, response) => {
    if (!isTarpit) response.writeHead(200, mark).end('{"key":1}');
  });
  await client.getDevice({ params: { deviceID: 1 } });
  isTarpit = true;
  Object.assign(limits, limitsOf(200));
  for (const error of [
    await failureOf(client.getDevice({ params: { deviceID: 1 } })),
    await failureOf(sendSound(10)),
  ]) {
    expect(error).toBeInstanceOf(NetworkFault);
    expect(judgeFailure(error)).toBe('offline');
  }
});

test('an answer that does not end is given up', async () => {
  const { client, limits } = await connect(
    versionOr((_received, response) => void response.writeHead(200, mark).write('{"key":')),
  );
  await client.getVersion();
  Object.assign(limits, limitsOf(200));
  expect(await failureOf(client.getDevice({ params: { deviceID: 1 } }))).toBeInstanceOf(NetworkFault);
});

test('after trouble no sound is sent before the platform answers', async () => {
  let isPortal = false;
  const { client, received, sendSound } = await connect((_received, response) =>
    response.writeHead(200, isPortal ? {} : mark).end('{"key":1}'),
  );
  await sendSound(1_000);
  isPortal = true;
  expect(await failureOf(client.getDevice({ params: { deviceID: 1 } }))).toBeInstanceOf(NotThePlatform);
  const before = received.length;
  for (let time = 0; time < 3; time += 1) expect(await failureOf(sendSound(1_000))).toBeInstanceOf(NotThePlatform);
  expect(received.slice(before).map(({ request }) => request.url)).toEqual([
    '/v1/version',
    '/v1/version',
    '/v1/version',
  ]);
  isPortal = false;
  expect((await sendSound(1_000)).status).toBe(200);
});

test.each([413, 200, 403])('an unmarked %i to sound alone is against this recording', async (status) => {
  const { sendSound } = await connect(versionOr((_received, response) => response.writeHead(status).end('filtered')));
  const error = await failureOf(sendSound(1_000));
  expect(error).toMatchObject({ status, platformAnswers: true });
  expect([judgeFailure(error), (error as Error).message]).toEqual([
    'transient',
    expect.stringContaining(String(status)),
  ]);
});

test.each(['a page', 'a cut connection'])(
  '%s for a small request is against that alone, if others pass',
  async (kind) => {
    let isFiltered = true;
    const { client, received } = await connect(
      versionOr(({ request }, response) => {
        if (!isFiltered) response.writeHead(200, mark).end('[]');
        else if (kind === 'a page') response.writeHead(403).end('<html>');
        else request.socket.destroy();
      }),
    );
    const announce = () => client.announceAudioClips({ params: { deviceSerial: 'a' }, body: [] });
    const error = await failureOf(announce());
    expect([isAgainstOne(error), judgeFailure(error)]).toEqual([true, 'transient']);
    expect(received.at(-1)?.request.url).toBe('/v1/version');
    // Reading has no content that a filter could be against.
    expect(isAgainstOne(await failureOf(client.getDevice({ params: { deviceID: 1 } })))).toBe(false);
    isFiltered = false;
    expect(await announce()).toEqual([]);
  },
);

test('a portal in the way of everything, or no server at all, is against no request alone', async () => {
  let isPortal = false;
  const { client, received } = await connect((_received, response) =>
    response.writeHead(200, isPortal ? {} : mark).end('[]'),
  );
  const announce = () => failureOf(client.announceAudioClips({ params: { deviceSerial: 'a' }, body: [] }));
  expect(await announce()).toBeUndefined();
  isPortal = true;
  const error = await announce();
  expect(error).toBeInstanceOf(NotThePlatform);
  expect(isAgainstOne(error)).toBe(false);
  const refused = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
  const dead = vi.spyOn(globalThis, 'fetch').mockRejectedValue(refused);
  onTestFinished(() => dead.mockRestore());
  const before = received.length;
  expect(await announce()).toBe(refused);
  expect([dead.mock.calls.length, received.length]).toEqual([1, before]);
});

test('a body that failed makes the next one wait, longer each time and at most ten minutes', async () => {
  const gate = createBodyGate(() => 0);
  const delays = Array.from({ length: 15 }, () => gate.close());
  expect(delays[0]).toBeGreaterThanOrEqual(750);
  expect(delays[0]).toBeLessThanOrEqual(1_250);
  expect(delays[5]).toBeGreaterThan(20_000);
  expect(Math.max(...delays)).toBeLessThanOrEqual(600_000);
  expect(Math.min(...delays.slice(-3))).toBeGreaterThan(400_000);
  const stop = new AbortController();
  const passing = failureOf(gate.pass(stop.signal));
  stop.abort();
  expect(await passing).toMatchObject({ name: 'AbortError' });
  gate.open();
  await gate.pass(undefined);
  expect(gate.close(3_600_000)).toBe(600_000);
});

test('the limit holds inside a request, and for all requests together', async () => {
  const { received, sendSound } = await connect((_received, response) => response.writeHead(200, mark).end(), {
    bytesPerSecond: 20_000,
  });
  const startMs = performance.now();
  await Promise.all([sendSound(10_000), sendSound(10_000)]);
  // 20,000 bytes take a second, less the first piece of a quarter of it.
  expect(performance.now() - startMs).toBeGreaterThan(700);
  expect(received.map(({ body }) => body.length).filter((size) => size > 0)).toEqual([10_000, 10_000]);
});

test('a low limit is kept with small pieces', () => {
  expect(createPace(() => 1_000).pieceBytes()).toBe(250);
  expect(createPace(() => 0).pieceBytes()).toBe(65_536);
  expect(createPace(() => 1).pieceBytes()).toBe(1);
});

test('a recording arrives over a link that breaks again and again', async () => {
  const sound = randomBytes(300_000);
  let stored = Buffer.alloc(0);
  const sent: number[] = [];
  const { connection, received } = await connect(
    versionOr(({ request, body }, response) => {
      if (request.method !== 'HEAD') sent.push(body.length);
      stored = Buffer.concat([stored, body]);
      const done = stored.length === sound.length ? { 'earshot-clip-id': '7' } : {};
      const tus = { location: '/v1/upload/1', 'upload-offset': String(stored.length), ...done };
      response.writeHead(200, { ...mark, ...tus }).end();
    }),
    { cutAfterBytes: 90_000 },
  );
  const recording = { sound: new Blob([sound]), metadata: {} };
  const pieceBytes = () => connection.pieceBytes();
  expect(await uploadRecording(connection.options, recording, { pieceBytes })).toBe(7);
  expect(stored.equals(sound)).toBe(true);
  expect(Math.max(...sent)).toBeLessThan(90_000);
  expect(received.some(({ request }) => request.url === '/v1/upload')).toBe(true);
});

test('over https too pieces become smaller, but not for a platform of the version before', async () => {
  const trust = { isMarking: true };
  const connection = connectPlatform({
    server: 'https://platform.test',
    accessKey: 'EK1',
    secretKey,
    trust: {
      isMarking: () => trust.isMarking,
      setMarking: async () => {},
      isProving: () => false,
      setProving: async () => {},
    },
    // Bytes that are not signed may take their time.
    bytesPerSecond: () => 1_000,
  });
  const answer = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    if ((input as URL).pathname === '/v1/version') return new Response('{"Version":"1.0.0"}', { headers: mark });
    throw new TypeError('fetch failed');
  });
  onTestFinished(() => answer.mockRestore());
  const body = new Blob([new Uint8Array(1_000_000)]);
  const fail = () => failureOf(connection.fetch('https://platform.test/v1/upload/1', { method: 'PATCH', body }));
  expect(await fail()).toMatchObject({ platformAnswers: true });
  expect(connection.pieceBytes()).toBe(8_388_608);
  expect(judgeFailure(await fail())).toBe('transient');
  expect(connection.pieceBytes()).toBe(250_000);
  trust.isMarking = false;
  expect(connection.pieceBytes()).toBe(8_388_608);
});

test('the platform may ask for ten minutes at most', () => {
  const asking = (retryAfter: string) =>
    retryDelayMs(ApiError.from(new Response('', { status: 503, headers: { 'retry-after': retryAfter } }), ''), 1_000);
  expect(asking('30')).toBe(30_000);
  expect(asking('3600')).toBe(600_000);
  expect(asking('31536000')).toBe(600_000);
  expect(asking(new Date(Date.now() + 86_400_000).toUTCString())).toBe(600_000);
  expect(asking('soon')).toBeLessThan(1_300);
});

test('only an answer with the mark of the platform counts as contact, and tells the error of the clock', async () => {
  let answerMark: Record<string, string> = {};
  const { connection, client } = await connect((_received, response) =>
    response
      .writeHead(200, { ...answerMark, date: new Date(Date.now() - 90_000).toUTCString() })
      .end('{"Version":"1.0.0"}'),
  );
  expect(await failureOf(client.getVersion({}))).toBeInstanceOf(NotThePlatform);
  expect([connection.contact.lastReached(), connection.contact.clockErrorMs()]).toEqual([undefined, undefined]);
  answerMark = mark;
  await client.getVersion({});
  expect(connection.contact.lastReached()).toBeDefined();
  expect(Math.round((connection.contact.clockErrorMs() ?? 0) / 10_000)).toBe(9);
});
