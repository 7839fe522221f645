import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { makeDataFolder } from '@earshot/server/testing/made-data';
import { expect, test, vi } from 'vitest';
import { sha256, tinyWav } from '../../server/src/features/file/tests/sound.ts';
import type { Tus } from '../../server/src/features/upload/tests/tus.ts';
import { clipIn, offsetIn, tusOf } from '../../server/src/features/upload/tests/tus.ts';
import { adminSettings, signInAdmin } from './admin.ts';
import { startServer, stopServer } from './server-process.ts';

const settings = { ...adminSettings, EARSHOT_RATE_LIMIT: '0' };
const kills = 2;
const people = 4;
const pieceBytes = 200_000;

interface Uploader {
  /** The clips of finished uploads, with the hash of the sound. */
  readonly finished: Map<number, string>;
  readonly faults: string[];
  readonly done: Promise<unknown>;
}

/** Uploads recordings in pieces, and resumes after each failure, until it is stopped. */
function uploadOn(deviceID: number, tus: () => Tus, isOver: () => boolean): Uploader {
  const finished = new Map<number, string>();
  const faults: string[] = [];
  let startMs = Date.parse('2026-11-15T00:00:00Z');

  /** Undefined if the server was not there, or was busy. */
  const tryTo = async (request: () => Promise<Response>): Promise<Response | undefined> => {
    const response = await request().catch(() => undefined);
    if (response && response.status < 300) return response;
    if (response && response.status !== 503) throw new Error(`${response.status} ${await response.text()}`);
    await sleep(50);
    return undefined;
  };

  async function create(size: number): Promise<string> {
    const metadata = { deviceID, startDate: new Date((startMs += 60_000)).toISOString() };
    for (;;) {
      const path = await tus()
        .create(size, metadata)
        .catch((error: unknown) => {
          // The server is not there, or is starting.
          if (!(error instanceof TypeError || String(error).includes('503'))) throw error;
        });
      if (path !== undefined) return path;
      await sleep(50);
    }
  }

  async function uploadOne(): Promise<void> {
    const sound = tinyWav(randomInt(20, 80), 100 + (startMs % 977));
    const path = await create(sound.length);
    let acknowledged = 0;
    for (;;) {
      const state = await tryTo(() => tus().head(path));
      if (!state) continue;
      const offset = offsetIn(state);
      if (offset < acknowledged) throw new Error(`${acknowledged} bytes were acknowledged and ${offset} are stored`);
      if (offset === sound.length) return void finished.set(clipIn(state), sha256(sound));
      const sent = await tryTo(() => tus().patch(path, offset, sound.slice(offset, offset + pieceBytes)));
      acknowledged = sent ? offsetIn(sent) : acknowledged;
    }
  }

  async function run(): Promise<void> {
    while (!isOver()) await uploadOne();
  }
  return { finished, faults, done: run().catch((error: unknown) => faults.push(String(error))) };
}

test('a server is killed repeatedly during uploads by tus: each one is resumed and becomes one clip', async () => {
  const dataDir = await makeDataFolder(join(await openScratch(), 'data'));
  let server = await startServer({ dataDir, settings });
  const admin = await signInAdmin(server.url);
  let isOver = false;
  const uploaders: Uploader[] = [];
  for (let number = 1; number <= people; number++) {
    const { key = 0 } = await admin.session.createDevice({ body: { deviceSerial: `card-${number}` } });
    uploaders.push(
      uploadOn(
        key,
        () => tusOf(server.url, admin),
        () => isOver,
      ),
    );
  }
  const count = () => uploaders.reduce((sum, { finished }) => sum + finished.size, 0);
  for (let kill = 1; kill <= kills; kill++) {
    const enough = count() + 10;
    await vi.waitUntil(() => count() >= enough || uploaders.some(({ faults }) => faults.length > 0), { interval: 10 });
    await sleep(randomInt(200));
    server.kill('SIGKILL');
    await server.exited;
    server = await startServer({ dataDir, settings });
  }
  isOver = true;
  await Promise.all(uploaders.map(({ done }) => done));
  expect(uploaders.flatMap(({ faults }) => faults)).toEqual([]);

  const { session } = await signInAdmin(server.url);
  const finished = new Map(uploaders.flatMap(({ finished: own }) => [...own]));
  const clips = await session.listAudioClips({ body: { count: 1_000 }, query: { alldevices: true } });
  expect(new Set(clips.map(({ key }) => key))).toEqual(new Set(finished.keys()));
  for (const { key = 0, audioClipStatus } of clips) {
    expect(audioClipStatus).toBe(3);
    const content = await session.getAudioClipContent({ params: { audioClipID: key } });
    expect(sha256(new Uint8Array(await content.arrayBuffer()))).toBe(finished.get(key));
  }
  expect(await stopServer(server)).toEqual({ code: 0, signal: null });
});
