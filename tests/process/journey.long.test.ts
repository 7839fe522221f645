import { randomBytes, randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@earshot/client/client';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { administer } from '@earshot/server/testing/database';
import { findFreePort } from '@earshot/server/testing/free-port';
import { testModelFolder } from '@earshot/server/testing/speech';
import { needs } from '@earshot/server/testing/needs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { adminSettings, signInAdmin } from './admin.ts';
import type { NetworkState } from './faulty-network.ts';
import { startFaultyNetwork } from './faulty-network.ts';
import { startExternalPostgres } from './external-postgres.ts';
import type { Device } from './journey-devices.ts';
import {
  killAgent,
  listClips,
  patience,
  record,
  requestMissing,
  sizeOfAll,
  speak,
  startAgent,
  startReceiver,
  waitForAgreement,
  waitForEnd,
  waitForSound,
  withMark,
} from './journey-devices.ts';
import type { ServerProcess } from './server-process.ts';
import { startServer } from './server-process.ts';

/*
 * A server, a worker and two agents as processes, as an operator runs them. First a quiet day: recordings appear, are
 * announced, requested, uploaded, transcribed, found, joined and exported. Then a bad one: the network is cut and
 * processes are killed at random while recordings go on. In the end server and devices agree.
 */

const badSeconds = Number(process.env['JOURNEY_SECONDS'] ?? 120);
const sentences = [
  'The ferry to the island leaves in ten minutes from the south pier.',
  'There is snow on the road to the village. We are driving slowly.',
  'Two deer crossed the path and went into the forest.',
];

test('nothing is lost or doubled on the way from two recorders to the archive', needs('postgresql'), async () => {
  const postgres = await startExternalPostgres();
  onTestFinished(() => postgres.remove());
  await administer(postgres.url('postgres'), 'create database earshot');
  const folder = await openScratch();
  const port = await findFreePort();
  const settings = {
    ...adminSettings,
    EARSHOT_DATABASE_URL: postgres.url('earshot'),
    EARSHOT_SECRET_KEY: randomBytes(32).toString('base64'),
    EARSHOT_STORAGE_URL: `file://${join(folder, 'files')}`,
    EARSHOT_ALLOW_NETWORKS: '127.0.0.0/8',
    EARSHOT_MODEL_DIR: testModelFolder,
    EARSHOT_LEASE_SECONDS: '10',
    EARSHOT_RATE_LIMIT: '0',
  };
  const start = (name: string, role: 'server' | 'worker', changes: Readonly<Record<string, string>>) =>
    startServer({
      dataDir: join(folder, name),
      settings: { ...settings, EARSHOT_ROLE: role, ...changes },
    });
  await mkdir(join(folder, 'files'));
  const startNode = () => start('node', 'server', { EARSHOT_PORT: String(port) });
  const startWorker = () => start('worker', 'worker', { EARSHOT_CAPTION_ENGINE: 'fast' });
  let node: ServerProcess = await startNode();
  let worker: ServerProcess = await startWorker();
  const network = await startFaultyNetwork(port);
  const url = `http://127.0.0.1:${port}`;
  const admin = await signInAdmin(url);
  const client = createClient({ url, credential: (await admin.withKey()).credential });

  const devices: Device[] = [];
  for (const [serial, upload] of [
    ['asked', 'requested'],
    ['eager', 'atOnce'],
  ] as const) {
    const { key: deviceID = 0 } = await client.createDevice({ body: { deviceSerial: serial } });
    const { credential } = await admin.withKey({ deviceID });
    const recordings = join(folder, serial, 'recordings');
    await mkdir(recordings, { recursive: true });
    const configPath = join(folder, serial, 'agent.json');
    const { accessKey, secretKey } = credential;
    const config = {
      server: network.url,
      deviceSerial: serial,
      accessKey,
      secretKey,
      folder: join(folder, serial, 'agent'),
      upload,
      sources: [{ kind: 'folder', path: recordings, settleSeconds: 0 }],
    };
    await writeFile(configPath, JSON.stringify(config), { mode: 0o600 });
    devices.push({ serial, deviceID, recordings, configPath, agent: startAgent(configPath) });
  }
  const [asked, eager] = devices as [Device, Device];

  // A quiet day.
  const firstMs = Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000;
  for (const [at, sentence] of sentences.entries()) {
    const spoken = await speak(sentence);
    for (const device of devices) await record(device, firstMs + at * 60_000, withMark(spoken, device.deviceID));
  }
  await vi.waitFor(async () => expect(await listClips(client, asked)).toHaveLength(3), patience);
  const announced = await listClips(client, asked);
  expect(announced.map(({ audioClipStatus: status }) => status)).toEqual([0, 0, 0]);
  const clipIDs = announced.map(({ key = 0 }) => key);
  await client.requestUpload({ body: { deviceID: asked.deviceID, audioClips: clipIDs } });
  await waitForSound(client, asked, 3);
  await waitForSound(client, eager, 3);
  for (const word of ['ferry', 'village', 'forest']) {
    await vi.waitFor(async () => {
      const { results } = await client.searchCaptions({ body: { searchText: word } });
      expect(new Set(results.map(({ deviceID }) => deviceID))).toEqual(
        new Set(devices.map(({ deviceID }) => deviceID)),
      );
    }, patience);
  }
  const range = { startEpoch: firstMs / 1_000, endEpoch: firstMs / 1_000 + 600 };
  const joined = await client.concatenateAudioClips({
    query: { usevrs: true },
    body: { deviceID: asked.deviceID, ...range, gaps: 'close' },
  });
  const { fileID = 0 } = JSON.parse(await waitForEnd(client, joined.key ?? 0)) as { fileID?: number };
  const sound = Buffer.from(await (await client.getFileContent({ params: { fileID } })).arrayBuffer());
  expect(sound.length).toBeGreaterThan(await sizeOfAll(asked));
  const receiver = await startReceiver();
  const exported = await client.exportAudioClips({
    body: { deviceID: eager.deviceID, ...range, gaps: 'close', uploadURL: receiver.url },
  });
  await waitForEnd(client, exported.key ?? 0);
  expect(receiver.received()).toBeGreaterThan(await sizeOfAll(eager));

  // A bad day.
  const badUntil = Date.now() + badSeconds * 1_000;
  let kills = 0;
  const recording = devices.map(async (device) => {
    for (let at = 0; Date.now() < badUntil; at += 1) {
      await record(device, firstMs + 1_000_000 + at * 2_000, withMark(tinyWav(0.5), at));
      await sleep(500 + randomInt(1_500));
    }
  });
  const killing = async () => {
    while (Date.now() < badUntil) {
      await sleep(1_000 + randomInt(6_000));
      const states: readonly NetworkState[] = ['open', 'refused', 'silent'];
      network.set(states[randomInt(3)] ?? 'open');
      const victim = randomInt(6);
      const device = devices[victim];
      if (device) await killAgent(device);
      else if (victim === 2) {
        node.killGroup('SIGKILL');
        await node.exited;
        node = await startNode();
      } else if (victim === 3) {
        worker.killGroup('SIGKILL');
        await worker.exited;
        worker = await startWorker();
      } else continue;
      kills += 1;
    }
  };
  const requesting = async () => {
    while (Date.now() < badUntil) {
      await sleep(3_000);
      await requestMissing(client, asked).catch(() => {});
    }
  };
  await Promise.all([...recording, killing(), requesting()]);
  expect(kills).toBeGreaterThan(badSeconds / 30);

  // In the end they agree.
  network.set('open');
  for (const device of devices) await waitForAgreement(client, device, device === asked ? 'requested' : 'atOnce');
  // Nothing is left to do, and nothing was tried for ever.
  await vi.waitFor(async () => {
    const open = await client.listEvents({ body: { eventState: 'open', count: 1000 } });
    expect(open.filter(({ serverEvent }) => serverEvent === 0)).toEqual([]);
  }, patience);
});
