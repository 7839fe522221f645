import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Client, createClient } from '@earshot/client/client';
import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import { eventStatus } from '@earshot/contract/event-status';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { administer } from '@earshot/server/testing/database';
import { findFreePort } from '@earshot/server/testing/free-port';
import { testModelFolder } from '@earshot/server/testing/speech';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sha256, tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { adminSettings, signInAdmin } from './admin.ts';
import { type NetworkState, startCutNetwork } from './cut-network.ts';
import { provideBinaries, startExternalPostgres, whatToInstall } from './external-postgres.ts';
import { repository, type ServerProcess, startServer } from './server-process.ts';

/*
 * A server, a worker and two agents as processes, as an operator runs them. First a quiet day: recordings appear, are
 * announced, requested, uploaded, transcribed, found, joined and exported. Then a bad one: the network is cut and
 * processes are killed at random while recordings go on. In the end server and devices agree.
 */

const badSeconds = Number(process.env['JOURNEY_SECONDS'] ?? 120);
const patience = { timeout: 300_000, interval: 500 };
const sentences = [
  'The ferry to the island leaves in ten minutes from the south pier.',
  'There is snow on the road to the village. We are driving slowly.',
  'Two deer crossed the path and went into the forest.',
];

interface Device {
  readonly serial: string;
  readonly deviceID: number;
  /** Where its recorder writes. */
  readonly recordings: string;
  readonly configPath: string;
  agent: ChildProcess;
}

test('nothing is lost or doubled on the way from two recorders to the archive', async ({ skip }) => {
  const binaries = provideBinaries();
  if (binaries === undefined) return skip(whatToInstall);
  const postgres = await startExternalPostgres(binaries);
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
  const network = await startCutNetwork(port);
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
    await writeFile(configPath, JSON.stringify(config));
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
      const states: readonly NetworkState[] = ['open', 'refused', 'halted'];
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
  for (const device of devices) {
    const files = await readRecordings(device);
    await vi.waitFor(async () => {
      const clips = await listClips(client, device);
      expect(clips.length).toBeGreaterThanOrEqual(files.size);
      if (device === asked) await requestMissing(client, asked);
      expect(clips.filter(({ audioClipStatus: status }) => status !== audioClipStatus.available)).toEqual([]);
    }, patience);
    const clips = await listClips(client, device);
    const stored = new Map<number, string>();
    for (const { key = 0, startTime = 0, startTimeMs = 0 } of clips) {
      const startMs = startTime * 1_000 + startTimeMs;
      expect(stored.has(startMs)).toBe(false);
      const response = await client.getAudioClipContent({ params: { audioClipID: key } });
      stored.set(startMs, sha256(new Uint8Array(await response.arrayBuffer())));
    }
    expect(stored).toEqual(files);
  }
  // Nothing is left to do, and nothing was tried for ever.
  await vi.waitFor(async () => {
    const open = await client.listEvents({ body: { eventState: 'open', count: 1000 } });
    expect(open.filter(({ serverEvent }) => serverEvent === 0)).toEqual([]);
  }, patience);
});

const program = join(repository, 'agent/dist/agent.mjs');

function startAgent(configPath: string): ChildProcess {
  const agent = spawn(process.execPath, [program, configPath], { stdio: 'ignore' });
  onTestFinished(() => void agent.kill('SIGKILL'));
  return agent;
}

async function killAgent(device: Device): Promise<void> {
  device.agent.kill('SIGKILL');
  await once(device.agent, 'exit');
  device.agent = startAgent(device.configPath);
}

async function speak(text: string): Promise<Buffer> {
  const speaker = join(repository, 'server/dist/speaker.js');
  const options = { encoding: 'buffer', maxBuffer: 20_000_000 } as const;
  return (await promisify(execFile)(process.execPath, [speaker, 'slt', text], options)).stdout;
}

/** The same sound with other bytes: the last sample is a number. */
function withMark(sound: Uint8Array, mark: number): Buffer {
  const marked = Buffer.from(sound);
  marked.writeInt16LE(mark % 30_000, marked.length - 2);
  return marked;
}

/** A recorder writes under another name until the recording is complete. */
async function record({ recordings }: Device, startMs: number, sound: Uint8Array): Promise<void> {
  const name = new Date(startMs).toISOString().replaceAll(/[-:]/g, '').slice(0, 15).replace('T', '_');
  await writeFile(join(recordings, `.${name}.wav`), sound);
  await rename(join(recordings, `.${name}.wav`), join(recordings, `${name}.wav`));
}

/** The hashes of the recordings on the device, by their starts. */
async function readRecordings({ recordings }: Device): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (const name of (await readdir(recordings)).toSorted()) {
    if (name.startsWith('.')) continue;
    const time = name.replace(/^(\d{4})(\d{2})(\d{2})_(\d{2})(\d{2})(\d{2})\.wav$/, '$1-$2-$3T$4:$5:$6Z');
    found.set(
      Date.parse(time),
      createHash('sha256')
        .update(await readFile(join(recordings, name)))
        .digest('hex'),
    );
  }
  return found;
}

async function sizeOfAll(device: Device): Promise<number> {
  const names = (await readdir(device.recordings)).filter((name) => !name.startsWith('.'));
  const files = await Promise.all(names.map((name) => readFile(join(device.recordings, name))));
  const headBytes = 100;
  return files.reduce((sum, { length }) => sum + length - headBytes, 0);
}

/** Oldest first. */
async function listClips(client: Client, { deviceID }: Device) {
  const clips = [];
  for (let cursor: string | undefined, isLast = false; !isLast; isLast = cursor === undefined) {
    const body = { deviceIDList: [deviceID], count: 1_000, order: 'asc', ...(cursor ? { cursor } : {}) } as const;
    const page = await client.listAudioClipPage({ body });
    clips.push(...page.results);
    cursor = page.next;
  }
  return clips;
}

async function requestMissing(client: Client, device: Device): Promise<void> {
  const wanted: readonly number[] = [audioClipStatus.onDevice, audioClipStatus.uploadFailed];
  const missing = (await listClips(client, device))
    .filter(({ audioClipStatus: status = 0 }) => wanted.includes(status))
    .map(({ key = 0 }) => key);
  if (missing.length > 0) await client.requestUpload({ body: { deviceID: device.deviceID, audioClips: missing } });
}

async function waitForSound(client: Client, device: Device, count: number): Promise<void> {
  await vi.waitFor(async () => {
    const clips = await listClips(client, device);
    expect(clips.map(({ audioClipStatus: status }) => status)).toEqual(
      Array.from({ length: count }, () => audioClipStatus.available),
    );
  }, patience);
}

/** The result of an event when it is complete. */
async function waitForEnd(client: Client, eventID: number): Promise<string> {
  return vi.waitFor(async () => {
    const event = await client.getEvent({ params: { eventID } });
    expect(event).toMatchObject({ eventStatus: eventStatus.complete });
    return event.result ?? '';
  }, patience);
}

/** Takes the bytes of an export. */
async function startReceiver() {
  let bytes = 0;
  const http = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => response.end());
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void http.close());
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/export`, received: () => bytes };
}
