import { once } from 'node:events';
import { mkdir, readdir, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import type { TestServer } from '@earshot/server/testing/server';
import { adminEmail, adminPassword, startTestServer } from '@earshot/server/testing/server';
import { needs } from '@earshot/server/testing/needs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { signHeaders } from '../access/signing.ts';
import type { Proxy } from './proxies.ts';
import { answerOf, readJson, startCaddy, startNginx } from './proxies.ts';

/* The configurations of deploy/nginx and deploy/caddy, run by the programs of Debian, with TLS. */

const megabyte = 1024 ** 2;
let server: TestServer;
let authorization: string;
let signer: { accessKey: string; secretKey: string };
beforeAll(async () => {
  server = await startTestServer({ trustProxy: ['127.0.0.1'] });
  const { credential } = await server.admin.withKey();
  signer = credential;
  authorization = `Basic ${Buffer.from(`${signer.accessKey}:${signer.secretKey}`).toString('base64')}`;
});
afterAll(() => server.stop());

/** The header of a WAV file with that much sound after it: 16 bits, one channel. */
function wavHeader(soundBytes: number): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + soundBytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(48_000, 24);
  header.writeUInt32LE(96_000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(soundBytes, 40);
  return header;
}

/** All bytes in the data folder: stored files, and uploads in progress. */
async function storedBytes(): Promise<number> {
  const names = await readdir(server.dataDir, { recursive: true });
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(server.dataDir, name)).then(
        (entry) => (entry.isFile() ? entry.size : 0),
        // It was renamed or removed meanwhile.
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

const kinds = [
  { name: 'nginx', program: 'nginx', start: startNginx },
  { name: 'caddy', program: 'caddy', start: startCaddy },
] as const;

describe.each(kinds)('$name', ({ name, program, start }) => {
  let proxy: Proxy;

  async function open(): Promise<void> {
    const folder = join(await openScratch(), name);
    await mkdir(folder);
    proxy = await start({ folder, port: Number(new URL(server.url).port) });
    onTestFinished(() => proxy.stop());
  }
  const json = { 'content-type': 'application/json' };
  const call = async (line: string, body: object): Promise<unknown> =>
    readJson(await answerOf(proxy.open(line, { authorization, ...json }), JSON.stringify(body)));

  const testProxy = (title: string, body: () => Promise<void>) =>
    test(title, needs(program, 'openssl'), async () => {
      await open();
      await body();
    });

  testProxy('sign-in over TLS: a secure cookie, and the address of the client in the log', async () => {
    const path = '/v1/session';
    const spoofed = {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-host': 'evil.example',
      forwarded: 'for=203.0.113.9',
    };
    const sending = proxy.open(`POST ${path}`, { ...json, ...spoofed }, '127.0.0.2');
    const answer = await answerOf(sending, JSON.stringify({ email: adminEmail, password: adminPassword }));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['set-cookie']?.[0]).toMatch(/; Secure/);
    const id = answer.headers['x-request-id'];
    const line = () => server.log.lines.find(({ fields }) => JSON.stringify(fields).includes(String(id)));
    await vi.waitUntil(line);
    expect(line()?.fields).toMatchObject({ address: '127.0.0.2' });

    const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const own = { cookie, origin: 'https://earshot.example.org' };
    const created = await answerOf(
      proxy.open('POST /v1/device', { ...json, ...own }),
      '{"deviceSerial":"by-' + name + '"}',
    );
    expect(created.statusCode).toBe(200);
    const foreign = { cookie, origin: 'https://evil.example' };
    expect((await answerOf(proxy.open('POST /v1/device', { ...json, ...foreign }), '{}')).statusCode).toBe(403);
  });

  testProxy('metrics and readiness are not for outsiders', async () => {
    for (const path of ['/metrics', '/readyz', '/%6detrics', '/metrics?x=1']) {
      const { statusCode } = await answerOf(proxy.open(`GET ${path}`));
      expect(statusCode, path).toBe(403);
    }
  });

  testProxy('a signed request with an encoded path and query', async () => {
    const path = `/v1/audioclip/${name}%20%2B%2F%C3%BC`;
    const body = '{"startTime":1700000000}';
    const direct = await fetch(new URL(path, server.url), {
      method: 'POST',
      headers: { ...json, ...signHeaders(signer, { method: 'POST', path, body }) },
      body,
    });
    const headers = { ...json, ...signHeaders(signer, { method: 'POST', path, body }) };
    const answer = await answerOf(proxy.open(`POST ${path}`, headers), body);
    expect({ status: answer.statusCode, detail: ((await readJson(answer)) as { detail?: string }).detail }).toEqual({
      status: direct.status,
      detail: ((await direct.json()) as { detail?: string }).detail,
    });
    expect(answer.statusCode).not.toBe(401);
  });

  testProxy('a poll waits for its whole time, and another is answered at once when work arrives', async () => {
    const serials = [`${name}-idle`, `${name}-busy`];
    for (const deviceSerial of serials) await call('POST /v1/device', { deviceSerial });
    const poll = (deviceSerial: string) => call('POST /v1/event/list/pending/longpoll', { deviceSerial });
    const [idle, busy] = serials.map(poll);
    await vi.waitUntil(async () => (await fetch(`${server.url}/healthz`)).ok);
    await call('POST /v1/event', { deviceSerial: serials[1], eventType: 'Reboot' });
    expect(await busy).toMatchObject([{ eventType: 'Reboot' }]);
    expect(await idle).toEqual([]);
  });

  testProxy('changes arrive on the live stream while it stays open', async () => {
    const stream = await answerOf(proxy.open('GET /v1/live', { authorization, accept: 'text/event-stream' }));
    expect(stream.statusCode).toBe(200);
    let received = '';
    stream.on('data', (chunk: Buffer) => (received += String(chunk)));
    await vi.waitUntil(() => received.includes(': at'), { timeout: 20_000 });
    const { key } = (await call('POST /v1/device', { deviceSerial: `${name}-live` })) as { key: number };
    await vi.waitUntil(() => received.includes(`"key":${key}`) && received.includes('event: device'), {
      timeout: 20_000,
    });
    expect(stream.complete).toBe(false);
    stream.destroy();
  });

  testProxy('an upload of 160 MB reaches the store while it is sent, and its ranges are played', async () => {
    const deviceSerial = `${name}-large`;
    await call('POST /v1/device', { deviceSerial });
    const clip = (await call(`POST /v1/audioclip/${deviceSerial}`, { startTime: 1_700_000_000 })) as { key: number };
    const path = `/v1/audioclip/${clip.key}/content`;
    const all = 160 * megabyte;
    const before = await storedBytes();
    const length = { 'content-length': String(44 + all) };
    const sending = proxy.open(`PUT ${path}`, { authorization, 'content-type': 'audio/wav', ...length });
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
    sending.write(wavHeader(all));
    const piece = Buffer.alloc(megabyte, 1);
    for (let sent = 0; sent < 160; sent++) {
      if (!sending.write(piece)) await once(sending, 'drain');
      // The rest is not sent before the store has the first part.
      if (sent === 40)
        await vi.waitUntil(async () => (await storedBytes()) > before + 32 * megabyte, { timeout: 60_000 });
    }
    sending.end();
    const [answer] = await answered;
    expect(await readJson(answer)).toMatchObject({ key: clip.key, fileSize: 44 + all, audioClipStatus: 3 });
    const range = await answerOf(proxy.open(`GET ${path}`, { authorization, range: `bytes=${all}-` }));
    expect(range.statusCode).toBe(206);
    expect((await buffer(range)).length).toBe(44);
  });

  testProxy('the console is served', async () => {
    const page = await answerOf(proxy.open('GET /'));
    expect(page.statusCode).toBe(200);
    expect(await text(page)).toContain('<!doctype html>');
  });
});
