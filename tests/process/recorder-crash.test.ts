import { randomInt } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@earshot/client/client';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { makeDataFolder } from '@earshot/server/testing/made-data';
import { expect, test, vi } from 'vitest';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { curlForm, trunkRecorderCall } from '../field/curl-form.ts';
import { adminSettings, signInAdmin } from './admin.ts';
import { startServer, stopServer } from './server-process.ts';

const settings = { ...adminSettings, EARSHOT_RATE_LIMIT: '0' };
const sound = tinyWav(2);
const firstStart = Math.floor(Date.now() / 1000) - 40_000;

test('a killed server keeps every acknowledged call once, and no part of another', async () => {
  const dataDir = await makeDataFolder(join(await openScratch(), 'data'));
  let server = await startServer({ dataDir, settings });
  const admin = await signInAdmin(server.url);
  const { secret: key = '' } = await admin.session.createUploadKey({ body: {} });
  const { credential } = await admin.withKey();

  const acknowledged = new Set<number>();
  const over = new AbortController();
  /** Sends each call until it is acknowledged, as recorders do. */
  const recorder = async (talkgroup: number) => {
    for (let startTime = firstStart; !over.signal.aborted; startTime++) {
      for (let isDone = false; !isDone && !over.signal.aborted;) {
        const form = curlForm(trunkRecorderCall({ key, sound, startTime, talkgroup }));
        const response = await fetch(new URL('/api/call-upload', server.url), { method: 'POST', ...form }).catch(
          () => undefined,
        );
        isDone = response?.status === 200;
        if (isDone) acknowledged.add(talkgroup * 1_000_000 + (startTime - firstStart));
        else await sleep(50);
      }
    }
  };
  const recorders = [1, 2, 3].map(recorder);
  for (let kill = 0; kill < 2; kill++) {
    const enough = acknowledged.size + 15;
    await vi.waitUntil(() => acknowledged.size >= enough, { interval: 10 });
    // Sound without its key is being received when the server is killed.
    const { headers, body } = curlForm(trunkRecorderCall({ key, sound, startTime: 1, talkgroup: 9 }));
    const half = new ReadableStream({ start: (controller) => controller.enqueue(body.slice(0, 20_000)) });
    const init = { method: 'POST', headers, body: half, duplex: 'half' } as RequestInit;
    void fetch(new URL('/api/call-upload', server.url), init).catch(() => {});
    await vi.waitUntil(async () => (await readdir(join(dataDir, 'scratch'))).length > 0);
    await sleep(randomInt(200));
    server.kill('SIGKILL');
    await server.exited;
    server = await startServer({ dataDir, settings });
  }
  over.abort();
  await Promise.all(recorders);

  const client = createClient({ url: server.url, credential });
  const found = new Set<number>();
  for (let cursor: string | undefined; ;) {
    const page = await client.listAudioClipPage({ body: { count: 1000, ...(cursor ? { cursor } : {}) } });
    for (const { audioClipStatus, startTime = 0, radioCall } of page.results) {
      expect(audioClipStatus).toBe(3);
      const call = (radioCall?.talkgroup ?? 0) * 1_000_000 + (startTime - firstStart);
      expect(found.has(call)).toBe(false);
      found.add(call);
    }
    cursor = page.next;
    if (cursor === undefined) break;
  }
  expect([...acknowledged].filter((call) => !found.has(call))).toEqual([]);
  await vi.waitUntil(async () => (await readdir(join(dataDir, 'scratch'))).length === 0);
  expect(await stopServer(server)).toEqual({ code: 0, signal: null });
});
