import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { serveMicrophone } from './testing/serve-microphone.ts';
import { wavHeader } from './wav.ts';

/*
 * The agent as a process that records a stream and watches a folder, killed a hundred times at random moments. In the end
 * the platform has every complete recording once, with its sound.
 */

const kills = 100;
const program = fileURLToPath(new URL('../dist/agent.mjs', import.meta.url));

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'earshot-agent-'));
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

test(`nothing is lost or doubled by ${kills} kills`, { timeout: 900_000 }, async () => {
  const stream = await serveMicrophone();
  const recordings = join(folder, 'recordings');
  await mkdir(recordings);
  const { client, credential } = await server.admin.withKey();
  const deviceSerial = 'killed';
  await client.createDevice({ body: { deviceName: deviceSerial, deviceSerial } });
  const listClips = () =>
    client.extractAudioClips({ body: { deviceSerial, startEpoch: 0, endEpoch: Math.floor(Date.now() / 1_000) + 60 } });
  const configPath = join(folder, 'agent.json');
  const { accessKey, secretKey } = credential;
  const config = {
    server: server.url,
    deviceSerial,
    accessKey,
    secretKey,
    folder: join(folder, 'agent'),
    upload: 'atOnce',
    sources: [
      { kind: 'folder', path: recordings, settleSeconds: 0 },
      { kind: 'stream', url: stream.url, clipSeconds: 1 },
    ],
  };
  await writeFile(configPath, JSON.stringify(config), { mode: 0o600 });
  const start = () => spawn(process.execPath, [program, configPath], { stdio: 'ignore' });

  const written: string[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const child = start();
    const path = join(recordings, `file-${kill}.wav`);
    // All in one second, which recorders of radio calls do.
    await writeFile(path, Buffer.concat([wavHeader(16_000), Buffer.alloc(16_000, kill + 1)]));
    written.push(path);
    // ffmpeg needs some seconds to find out what a stream contains, so every fourth process lives longer.
    await sleep(300 + Math.random() * (kill % 4 === 0 ? 12_000 : 2_500));
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  const last = start();
  await vi.waitFor(
    async () => {
      const left = await listClips();
      const names = new Set(left.map(({ localFilePath = '' }) => localFilePath));
      expect(written.filter((path) => !names.has(path))).toEqual([]);
      expect(left.filter((clip) => clip.audioClipStatus !== audioClipStatus.available).length).toBeLessThan(3);
    },
    { timeout: 120_000, interval: 1_000 },
  );
  stream.stop();
  await sleep(3_000);
  last.kill('SIGTERM');
  await once(last, 'exit');

  const clips = await listClips();
  const paths = clips.map(({ localFilePath = '' }) => localFilePath);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths.filter((path) => path.startsWith(recordings)).toSorted()).toEqual(written.toSorted());
  const own = paths.filter((path) => !path.startsWith(recordings));
  // Many recordings of the stream, and none of the complete ones is left on the device unannounced.
  expect(own.length).toBeGreaterThan(kills / 5);
  const sound = join(folder, 'agent', 'sound');
  const left = (await readdir(sound)).filter((name) => name.endsWith('.wav')).map((name) => join(sound, name));
  expect(left.filter((path) => !own.includes(path))).toEqual([]);
});
