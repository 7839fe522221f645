import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { S3Client } from './s3-client.ts';
import { createS3Client } from './s3-client.ts';
import { parseS3Url } from './s3-url.ts';
import { StorageUnavailable } from './storage-error.ts';

/*
 * How the client handles a store that fails. A real store does not fail on request, so a test server does it here. The
 * behaviour with a working store is tested with a real one in tests/storage.
 */

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const status = (code: number, body = '', headers = {}): Answer => {
  return (response) => void response.writeHead(code, headers).end(body);
};
const hangUp: Answer = (response) => void response.destroy();
const cutShort: Answer = (response) => {
  response.writeHead(200, { 'content-length': '100' });
  response.write('<a>', () => response.destroy());
};
const problem = (code: string) => `<Error><Message>hunter2</Message><Code>${code}</Code></Error>`;

interface Store {
  readonly client: S3Client;
  /** The number of calls. */
  readonly calls: () => number;
}

/** Answers the calls with the given responses in order, and repeats the last one. */
async function startStore(...answers: readonly Answer[]): Promise<Store> {
  let calls = 0;
  const server = createServer((request, response) => {
    const answer = answers[Math.min(calls, answers.length - 1)];
    calls += 1;
    answer?.(response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const location = parseS3Url(`s3://recordings?endpoint=http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const options = { location, accessKey: 'the-access-key', secretKey: 'the-secret-key', firstDelayMs: 1 };
  return { client: createS3Client(options), calls: () => calls };
}

const list = { method: 'GET', query: { 'list-type': '2' } } as const;

test('a transient failure is retried', async () => {
  for (const failure of [status(500), status(503), status(429), status(400, problem('RequestTimeout')), hangUp]) {
    const { client, calls } = await startStore(failure, failure, status(200, '<a>b</a>'));
    expect(await client.ask(list)).toMatchObject({ name: 'a', text: 'b' });
    expect(calls()).toBe(3);
  }
});

test('a failure in the body of a success is retried', async () => {
  const { client, calls } = await startStore(status(200, problem('InternalError')), cutShort, status(200, '<a/>'));
  expect(await client.ask({ method: 'POST', key: 'a', body: '<b/>' })).toMatchObject({ name: 'a' });
  expect(calls()).toBe(3);
});

test('a persistent failure is reported after the retries', async () => {
  const { client, calls } = await startStore(status(503, problem('SlowDown')));
  await expect(client.send(list)).rejects.toThrow(
    /^the object store http:\S+ \(bucket recordings\) limits the rate of requests \(SlowDown\)$/,
  );
  expect(calls()).toBe(4);
});

test('a refusal is not retried, and no secret is disclosed', async () => {
  const refusals = {
    SignatureDoesNotMatch: /refuses the credentials: the secret key is wrong/,
    InvalidAccessKeyId: /refuses the credentials: the access key is unknown/,
    AccessDenied: /refuses the credentials/,
    SomethingNew: /refuses the credentials \(SomethingNew\)/,
    RequestTimeTooSkewed: /clocks/,
  };
  for (const [code, message] of Object.entries(refusals)) {
    const { client, calls } = await startStore(status(403, problem(code)));
    const error = await client.ask(list).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StorageUnavailable);
    expect(String(error)).toMatch(message);
    expect(JSON.stringify([String(error), error])).not.toMatch(/hunter2|the-secret-key|the-access-key/);
    expect(calls()).toBe(1);
  }
});

test('a full store is reported as full, and not retried', async () => {
  const answers: readonly (readonly [number, string, RegExp])[] = [
    [507, 'XMinioStorageFull', /\(bucket recordings\) is full \(XMinioStorageFull\)$/],
    [403, 'QuotaExceeded', /is full: the quota is exceeded \(QuotaExceeded\)$/],
    [400, 'XMinioAdminBucketQuotaExceeded', /is full: the quota is exceeded/],
    [507, '', /is full$/],
  ];
  for (const [code, word, message] of answers) {
    const { client, calls } = await startStore(status(code, word === '' ? '' : problem(word)));
    const error = await client.send({ method: 'PUT', key: 'a', body: '.' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ isFull: true, message: expect.stringMatching(message) });
    expect(calls()).toBe(1);
  }
  const { client } = await startStore(status(400, problem('EntityTooLarge')));
  const tooLarge = client.send({ method: 'PUT', key: 'a', body: '.' });
  await expect(tooLarge).rejects.toMatchObject({ isFull: false, message: expect.stringContaining('of this size') });
});

test('a response that is not XML and a redirect are failures', async () => {
  const page = await startStore(status(200, '<html>the proxy is down'));
  await expect(page.client.ask(list)).rejects.toBeInstanceOf(StorageUnavailable);
  const elsewhere = await startStore(status(301, '', { location: 'http://127.0.0.1:1/' }));
  await expect(elsewhere.client.send(list)).rejects.toThrow(/has the bucket in another region/);
});

test('a status that the caller expects is returned', async () => {
  const { client } = await startStore(status(404));
  const { statusCode } = await client.send({ method: 'HEAD', key: 'a' }, [404]);
  expect(statusCode).toBe(404);
  await expect(client.send({ method: 'HEAD', key: 'a' })).rejects.toThrow(/answered 404/);
});

/** More than all buffers between the client and the store hold. */
async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield Buffer.alloc(65_536);
}

test('a stream is sent once, and not to its end if the store refuses it', async () => {
  for (const answer of [status(503, problem('SlowDown')), hangUp]) {
    const { client, calls } = await startStore(answer);
    const sending = client.send({ method: 'PUT', key: 'a', body: { length: 2 ** 40, bytes: endless() } });
    await expect(sending).rejects.toBeInstanceOf(StorageUnavailable);
    expect(calls()).toBe(1);
  }
});

test('an unreachable store is reported in one line', async () => {
  const location = parseS3Url('s3://recordings?endpoint=http://127.0.0.1:1');
  const client = createS3Client({ location, accessKey: 'a', secretKey: 'b', firstDelayMs: 1 });
  await expect(client.send(list)).rejects.toThrow(
    'the object store http://127.0.0.1:1 (bucket recordings) cannot be reached: the connection was refused',
  );
});
