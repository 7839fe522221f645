import { mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@earshot/client/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parseConfig } from './config.ts';
import type { PlatformConnection } from './connection/connection.ts';
import { openJournal } from './journal.ts';
import { createLog } from './log.ts';
import { repeat } from './loop.ts';
import { createSending } from './sending.ts';
import type { Settings } from './settings.ts';
import { hashOf } from './testing/agent-device.ts';

test('while a large recording is uploaded, those that come later are announced and uploaded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-sending-'));
  const journal = await openJournal({ path: join(folder, 'journal'), onDamage: () => {} });
  const log = createLog(() => {});
  const stop = new AbortController();
  const fields = { server: 'http://platform.test', deviceSerial: 'owl', accessKey: 'EK1', secretKey: 'secret', folder };
  const config = parseConfig(JSON.stringify({ ...fields, sources: [] }));
  const uploads: string[] = [];
  const send: typeof fetch = async (input, init = {}) => {
    if (new URL(input as URL).pathname !== '/v1/upload')
      return Response.json((JSON.parse(init.body as string) as object[]).map((_clip, at) => ({ key: at + 1 })));
    uploads.push(new Headers(init.headers).get('upload-length') ?? '');
    if (uploads.length > 1) return new Response('', { headers: { 'earshot-clip-id': '1' } });
    return new Promise((_resolve, reject) =>
      stop.signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true }),
    );
  };
  const options = { url: fields.server, fetch: send };
  const sending = createSending({
    config,
    version: '1',
    log,
    journal,
    settings: {
      current: { upload: 'atOnce', uploadKilobytesPerSecond: 0, diskBudgetMB: 1_000 },
    } as unknown as Settings,
    platform: {
      client: createClient(options),
      connection: {
        options,
        isEncrypted: true,
        pieceBytes: () => 1_000_000_000,
        serverVersion: () => '1',
      } as unknown as PlatformConnection,
      prove: async () => 'stored',
      bytesPerSecond: () => 0,
    },
  });
  const record = async (name: string, bytes: number) => {
    const path = join(folder, name);
    await writeFile(path, '');
    await truncate(path, bytes);
    const modifiedMs = Math.round((await stat(path)).mtimeMs);
    const sha256 = hashOf(Buffer.alloc(bytes));
    await journal.record({ path, bytes, startMs: bytes, modifiedMs, sha256, isOwn: false });
    sending.announceSoon();
  };
  await record('large.wav', 40_000_000);
  const running = Promise.all(
    sending.loops(stop.signal).map(({ name, step }) => repeat({ name, log, signal: stop.signal }, step)),
  );
  onTestFinished(async () => {
    stop.abort();
    await running;
    await journal.close();
    await rm(folder, { recursive: true, force: true });
  });
  await vi.waitFor(() => expect(uploads).toEqual(['40000000']));
  await record('small.wav', 1_000);
  await vi.waitFor(() => expect(journal.findByPath(join(folder, 'small.wav'))?.isUploaded).toBe(true));
  expect(journal.findByPath(join(folder, 'large.wav'))?.isUploaded).toBe(false);
});
