import { randomBytes } from 'node:crypto';
import { createFileAddresses } from '@earshot/server/features/file/file-address';
import { createSecretBox } from '@earshot/server/platform/secrets/secret-box';
import { findFreePort } from '@earshot/server/testing/free-port';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { headersOf } from '../../live/tests/stream.ts';
import { tinyWav } from './sound.ts';
import { announce, putWhole } from './uploading.ts';

const secretKey = randomBytes(32);
const bytes = tinyWav();
let server: TestServer;
let waiting: { key: number; url: string };
beforeAll(async () => {
  server = await startTestServer({ secretKey });
  waiting = await announce(server.admin, bytes);
});
afterAll(() => server.stop());

const changed = (url: string, change: (address: URL) => void): string => {
  const address = new URL(url);
  change(address);
  return address.href;
};
const withSignature = (signature: string) =>
  changed(waiting.url, ({ searchParams }) => searchParams.set('signature', signature));
const signatureOf = (url: string) => new URL(url).searchParams.get('signature') ?? '';

/** Made with the server's key, as the server makes them. */
function addressMade(by: Buffer, file: { key: number; fileSize: number }, at: Date): string {
  vi.useFakeTimers({ toFake: ['Date'], now: at });
  try {
    return createFileAddresses(createSecretBox(by), null).make('upload', server.url, file, server.admin);
  } finally {
    vi.useRealTimers();
  }
}
const file = () => ({ key: waiting.key, fileSize: bytes.length });
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);

describe('an upload address', () => {
  test('has the origin under which the caller reached the server', () => {
    expect(waiting.url).toMatch(new RegExp(`^${server.url}/v1/file/${waiting.key}/upload\\?`));
  });

  test('has the public URL, if one is configured', async () => {
    const port = await findFreePort();
    await server.addNode({ publicOrigin: 'https://recordings.example.org', port });
    const { credential } = await server.admin.withKey();
    const response = await fetch(`http://127.0.0.1:${port}/v1/file`, {
      method: 'POST',
      headers: { ...headersOf({ credential }), 'content-type': 'application/json' },
      body: JSON.stringify({ filename: 'a', fileSize: 0, sHA256Hash: '0'.repeat(64) }),
    });
    const { signedURL } = (await response.json()) as { signedURL: string };
    expect(signedURL).toMatch(/^https:\/\/recordings\.example\.org\/v1\/file\//);
  });

  test.each<[string, () => string]>([
    ['without a signature', () => changed(waiting.url, ({ searchParams }) => searchParams.delete('signature'))],
    ['without a person', () => changed(waiting.url, ({ searchParams }) => searchParams.delete('person'))],
    [
      'of another person',
      () => changed(waiting.url, ({ searchParams }) => searchParams.set('person', String(server.admin.userID + 1))),
    ],
    ['without an expiry', () => changed(waiting.url, ({ searchParams }) => searchParams.delete('expires'))],
    ['with an empty signature', () => withSignature('')],
    ['with half a signature', () => withSignature(signatureOf(waiting.url).slice(0, 20))],
    ['with another signature', () => withSignature(randomBytes(32).toString('base64url'))],
    [
      'with a later expiry',
      () =>
        changed(waiting.url, ({ searchParams }) =>
          searchParams.set('expires', String(Number(searchParams.get('expires')) + 1)),
        ),
    ],
    [
      'of another file',
      () => changed(waiting.url, (address) => void (address.pathname = `/v1/file/${waiting.key + 1}/upload`)),
    ],
    [
      'of a file that does not exist',
      () => changed(waiting.url, (address) => void (address.pathname = '/v1/file/999999/upload')),
    ],
    ['of another size', () => addressMade(secretKey, { ...file(), fileSize: 1 }, new Date())],
    ['of another installation', () => addressMade(randomBytes(32), file(), new Date())],
    ['of another installation, long ago', () => addressMade(randomBytes(32), file(), ago(90_000))],
  ])('%s is not found, and reveals nothing', async (_what, address) => {
    await announce(server.admin, bytes);
    const put = await putWhole(address(), bytes);
    expect(put.status).toBe(404);
    expect((await fetch(address(), { method: 'HEAD' })).status).toBe(404);
    expect(await put.json()).toMatchObject({ detail: expect.stringMatching(/^There is no upload \d+/) });
  });

  test('that has expired is refused with the reason', async () => {
    const address = addressMade(secretKey, file(), ago(3_610));
    const put = await putWhole(address, bytes);
    expect([put.status, await put.json()]).toMatchObject([403, { detail: expect.stringContaining('expired') }]);
    expect((await fetch(address, { method: 'HEAD' })).status).toBe(403);
  });

  test('is valid for an hour, for uploading and for reading the offset only', async () => {
    const address = addressMade(secretKey, file(), ago(3_590));
    expect((await fetch(address, { method: 'HEAD' })).headers.get('upload-offset')).toBe('0');
    expect((await putWhole(address, bytes)).status).toBe(200);
    expect((await fetch(address, { method: 'HEAD' })).headers.get('upload-offset')).toBe(String(bytes.length));
    for (const method of ['GET', 'POST', 'DELETE']) expect((await fetch(address, { method })).status).toBe(405);
    expect((await fetch(address.replace('/upload', '/content'))).status).toBe(401);
  });

  test('is shown once and not logged', async () => {
    expect(await server.admin.session.getFile({ params: { fileID: waiting.key } })).not.toHaveProperty('signedURL');
    expect(JSON.stringify(server.log.lines)).not.toContain(signatureOf(waiting.url));
  });
});
