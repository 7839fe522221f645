import { createHmac } from 'node:crypto';
import { ApiError } from '@earshot/client/api-error';
import { canonicalBytes } from '@earshot/contract/signing';
import { expect, test } from 'vitest';
import { judgeFailure, retryDelayMs } from '../failure.ts';
import { connect, failureOf, limitsOf, mark, secretKey, versionOr } from '../testing/scripted-platform.ts';
import { createBodyGate } from './body-gate.ts';
import { NetworkFault, NotThePlatform } from './network-fault.ts';
import { createPace } from './paced-body.ts';
import { askForProof } from './proof.ts';

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

test('pieces become smaller on a bad link, but not for a platform of the version before', async () => {
  let isCut = true;
  const { connection, sendSound } = await connect(
    versionOr(({ request }, response) => {
      if (isCut) request.socket.destroy();
      else response.writeHead(200, mark).end();
    }),
  );
  expect(connection.pieceBytes()).toBe(8_388_608);
  const error = await failureOf(sendSound(1_000));
  expect([judgeFailure(error), connection.pieceBytes()]).toEqual(['transient', 4_194_304]);
  isCut = false;
  await sendSound(1_000);
  expect(connection.pieceBytes()).toBe(8_388_608);
});

const proofParts = (proofs: object[], isEncrypted = false) => ({
  connection: { isEncrypted, isMarking: () => true },
  client: { proveUploads: async ({ body }: { body: { nonce: string } }) => ({ nonce: body.nonce, proofs }) as never },
  secretKey,
});
const hash = 'ab'.repeat(32);
const never = new AbortController().signal;

test('a proof with another key, of another clip or without a key proves nothing over http', async () => {
  const told = { audioClipID: 5, sHA256Hash: hash, isStored: true };
  for (const proofs of [
    [],
    [told],
    [{ ...told, proof: '' }],
    [{ ...told, proof: 'cd'.repeat(32) }],
    [{ ...told, audioClipID: 6, proof: 'cd'.repeat(32) }],
    [null],
  ] as object[][])
    expect(await failureOf(askForProof(proofParts(proofs), 5, hash, never))).toBeInstanceOf(NetworkFault);
  expect(await askForProof(proofParts([told], true), 5, hash, never)).toBe('stored');
});

test('an address that marks its answers cannot say that it has no proof', async () => {
  const gone = ApiError.from(new Response('', { status: 404 }), '');
  const ask = (isMarking: boolean) => {
    const client = { proveUploads: () => Promise.reject(gone) };
    const connection = { isEncrypted: false, isMarking: () => isMarking };
    return askForProof({ connection, client, secretKey }, 5, hash, never);
  };
  expect(await ask(false)).toBe('notOffered');
  expect(await failureOf(ask(true))).toBe(gone);
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
