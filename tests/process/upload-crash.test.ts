import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@earshot/client/api-error';
import type { Client } from '@earshot/client/client';
import { createClient } from '@earshot/client/client';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { makeDataFolder } from '@earshot/server/testing/made-data';
import { expect, test, vi } from 'vitest';
import { sha256, tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { adminSettings, signInAdmin } from './admin.ts';
import { startServer, stopServer } from './server-process.ts';

const settings = { ...adminSettings, EARSHOT_RATE_LIMIT: '0' };
const kills = 2;
const recorders = 5;

interface Recorder {
  /** The clips whose upload was acknowledged, with the hash of the sound. */
  readonly acknowledged: Map<number, string>;
  readonly wrongAnswers: string[];
  readonly done: Promise<unknown>;
}

/** Announces clips and uploads their sound, in one request or as a file in two parts, until it is stopped. */
function record(serial: string, client: () => Client, url: () => string, isOver: () => boolean): Recorder {
  const acknowledged = new Map<number, string>();
  const wrongAnswers: string[] = [];
  let start = 1000;

  async function sendAsFile(clipID: number, sound: Uint8Array<ArrayBuffer>): Promise<void> {
    const body = { deviceSerial: serial, filename: 'clip.wav', fileSize: sound.length, sHA256Hash: sha256(sound) };
    const { key: fileID = 0, signedURL = '' } = await client().createFile({ body });
    // The restarted server may have another port.
    const address = new URL(new URL(signedURL).pathname + new URL(signedURL).search, url());
    const half = Math.floor(sound.length / 2);
    for (const [first, last] of [[0, half - 1] as const, [half, sound.length - 1] as const]) {
      const headers = { 'content-range': `bytes ${first}-${last}/${sound.length}` };
      const { status } = await fetch(address, { method: 'PUT', headers, body: sound.subarray(first, last + 1) });
      if (status !== 200) throw new Error(`a part was answered ${status}`);
    }
    await client().finishFile({ params: { fileID } });
    const patch = [
      { fieldName: 'fileID', value: fileID },
      { fieldName: 'audioClipStatus', value: 3 },
    ];
    await client().patchAudioClip({ params: { audioClipID: clipID }, body: patch });
  }

  async function sendOne(): Promise<void> {
    start += 100;
    const params = { audioClipID: serial };
    const { key = 0 } = await client().announceAudioClip({
      params,
      body: { startTime: start, clipLengthInSeconds: 60 },
    });
    const sound = tinyWav(randomInt(10, 200), start % 1000);
    if (start % 200 === 0) await sendAsFile(key, sound);
    else await client().putAudioClipContent({ params: { audioClipID: key }, body: sound });
    acknowledged.set(key, sha256(sound));
  }

  async function recordOn(): Promise<void> {
    while (!isOver()) {
      await sendOne().catch(async (error: unknown) => {
        if (error instanceof ApiError && error.status !== 503) wrongAnswers.push(`${error.status} ${error.message}`);
        await sleep(50);
      });
    }
  }
  return { acknowledged, wrongAnswers, done: recordOn() };
}

test('a server is killed repeatedly during uploads: no clip has an incomplete file', async () => {
  const dataDir = await makeDataFolder(join(await openScratch(), 'data'));
  let server = await startServer({ dataDir, settings });
  const admin = await signInAdmin(server.url);
  const { credential } = await admin.withKey();
  for (let number = 1; number <= recorders; number++) {
    await admin.session.createDevice({ body: { deviceSerial: `recorder-${number}` } });
  }
  let isOver = false;
  let client = createClient({ url: server.url, credential });
  const fleet = Array.from({ length: recorders }, (_, index) =>
    record(
      `recorder-${index + 1}`,
      () => client,
      () => server.url,
      () => isOver,
    ),
  );
  const count = () => fleet.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
  for (let kill = 1; kill <= kills; kill++) {
    const enough = count() + 15;
    await vi.waitUntil(() => count() >= enough, { interval: 10 });
    await sleep(randomInt(200));
    server.kill('SIGKILL');
    await server.exited;
    server = await startServer({ dataDir, settings });
    client = createClient({ url: server.url, credential });
  }
  isOver = true;
  await Promise.all(fleet.map(({ done }) => done));
  expect(fleet.flatMap(({ wrongAnswers }) => wrongAnswers)).toEqual([]);

  const acknowledged = new Map(fleet.flatMap(({ acknowledged: own }) => [...own]));
  const clips = await client.listAudioClips({ body: { count: 1_000 }, query: { alldevices: true } });
  const available = clips.filter(({ audioClipStatus }) => audioClipStatus === 3);
  expect(available.length).toBeGreaterThanOrEqual(acknowledged.size);
  for (const { key = 0, fileID = 0 } of available) {
    const { sHA256Hash } = await client.getFile({ params: { fileID } });
    const response = await client.getAudioClipContent({ params: { audioClipID: key } });
    const hash = sha256(new Uint8Array(await response.arrayBuffer()));
    expect(hash).toBe(sHA256Hash);
    expect(hash).toBe(acknowledged.get(key) ?? hash);
  }
  const missing = [...acknowledged.keys()].filter((key) => !available.some((clip) => clip.key === key));
  expect(missing).toEqual([]);
  expect(await stopServer(server)).toEqual({ code: 0, signal: null });
});
