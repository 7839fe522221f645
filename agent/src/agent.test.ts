import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import { eventStatus } from '@earshot/contract/event-status';
import { startTestServer, type TestServer } from '@earshot/server/testing/server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { runAgent } from './agent.ts';
import { type AgentConfig, parseConfig } from './config.ts';
import { createLog } from './log.ts';
import { wavHeader } from './wav.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

let folder: string;
let recordings: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-agent-'));
  recordings = join(folder, 'recordings');
  await mkdir(recordings);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const within = { timeout: 30_000, interval: 100 };
let serials = 0;

/** A device, its agent's configuration, and a way to run the agent. */
async function makeDevice(settings: Partial<Record<keyof AgentConfig, unknown>> = {}) {
  const { client, credential } = await server.admin.withKey();
  const deviceSerial = `agent-${(serials += 1)}`;
  const { key: deviceID = 0 } = await client.createDevice({ body: { deviceName: deviceSerial, deviceSerial } });
  const config = parseConfig(
    JSON.stringify({
      server: server.url,
      deviceSerial,
      accessKey: credential.accessKey,
      secretKey: credential.secretKey,
      folder: join(folder, 'agent'),
      sources: [{ kind: 'folder', path: recordings, settleSeconds: 0 }],
      ...settings,
    }),
  );
  const lines: string[] = [];
  const start = () => {
    const stop = new AbortController();
    const running = runAgent({
      config,
      version: '0.0.1-test',
      log: createLog((line) => lines.push(line)),
      restart: () => stop.abort(),
      installation: undefined,
      system: { bootID: 'one', reboot: async () => {} },
      signal: stop.signal,
    });
    return async () => {
      stop.abort();
      await running;
    };
  };
  const listClips = async () => {
    const clips = await client.listAudioClips({ body: { deviceID, count: 100, order: 'asc' } });
    return clips.map(({ key = 0, audioClipStatus: status, localFilePath = '' }) => ({ key, status, localFilePath }));
  };
  return { client, deviceID, start, listClips, lines };
}

function makeSound(seconds: number, tone: number): Buffer {
  const sound = Buffer.alloc(seconds * 32_000);
  for (let at = 0; at < sound.length; at += 2)
    sound.writeInt16LE(Math.round(9_000 * Math.sin((at * tone) / 9_000)), at);
  return Buffer.concat([wavHeader(sound.length), sound]);
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('recordings of a folder are announced once, and uploaded when the platform asks', async () => {
  const { client, deviceID, start, listClips } = await makeDevice();
  const files = ['20260101_100000.WAV', '20260101_100001.WAV', 'other.wav'].map((name) => join(recordings, name));
  for (const [at, file] of files.entries()) await writeFile(file, makeSound(1, at + 1));
  const stop = start();
  await vi.waitFor(async () => expect(await listClips()).toHaveLength(3), within);
  const clips = await listClips();
  expect(clips.map(({ localFilePath }) => localFilePath)).toEqual(files);
  const wanted = clips.slice(1).map(({ key }) => key);
  await client.requestUpload({ body: { deviceID, audioClips: wanted } });
  await vi.waitFor(async () => {
    expect((await listClips()).map(({ status }) => status)).toEqual([
      audioClipStatus.onDevice,
      audioClipStatus.available,
      audioClipStatus.available,
    ]);
  }, within);
  for (const [at, audioClipID] of wanted.entries()) {
    const content = await client.getAudioClipContent({ params: { audioClipID } });
    expect(hashOf(new Uint8Array(await content.arrayBuffer()))).toBe(hashOf(await readFile(files[at + 1]!)));
  }
  await stop();
  // Started again, also without its journal, it announces nothing twice.
  await start()();
  await rm(join(folder, 'agent', 'journal'));
  const stopAgain = start();
  await writeFile(join(recordings, '20260101_100002.WAV'), makeSound(1, 9));
  await vi.waitFor(async () => expect(await listClips()).toHaveLength(4), within);
  await stopAgain();
});

test('sound is uploaded at once, within the limit, and removed from the folder', async () => {
  const { client, start, listClips } = await makeDevice({
    upload: 'atOnce',
    uploadKilobytesPerSecond: 40,
    sources: [{ kind: 'folder', path: recordings, settleSeconds: 0, removeUploaded: true }],
  });
  const file = join(recordings, '20260102_100000.wav');
  const sound = makeSound(3, 2);
  await writeFile(file, sound);
  const stop = start();
  await vi.waitFor(async () => {
    expect(await listClips()).toMatchObject([{ status: audioClipStatus.available }]);
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
  }, within);
  const [clip] = await listClips();
  const content = await client.getAudioClipContent({ params: { audioClipID: clip?.key ?? 0 } });
  expect(hashOf(new Uint8Array(await content.arrayBuffer()))).toBe(hashOf(sound));
  await stop();
});

test('events are carried out, refused with a reason, and reported', async () => {
  const { client, deviceID, start, lines } = await makeDevice();
  const stop = start();
  const send = async (eventType: string, parameters: object = {}) => {
    const event = await client.createEvent({
      body: { deviceID, eventType, eventParameters: JSON.stringify(parameters) },
    });
    return vi.waitFor(async () => {
      const now = await client.getEvent({ params: { eventID: event.key ?? 0 } });
      expect([eventStatus.complete, eventStatus.error]).toContain(now.eventStatus);
      return now;
    }, within);
  };
  const diagnostics = await send('Report_diagnostics');
  expect(diagnostics.eventStatus).toBe(eventStatus.complete);
  expect(JSON.parse(diagnostics.result ?? '')).toMatchObject({ recordings: { known: 0 } });
  expect(await send('Reboot')).toMatchObject({
    eventStatus: eventStatus.error,
    result: 'Reboot is not allowed on this device: add it to "allow" in the configuration of its agent.',
  });
  expect(await send('Upload_audio_clips', { audioClips: [123_456] })).toMatchObject({
    eventStatus: eventStatus.error,
    result: '0 of 1 uploaded; clip 123456 is not on this device',
  });
  const agents = await client.listAgents({ body: { deviceID } });
  expect(new Set(agents.map(({ agentType }) => agentType))).toEqual(new Set(['Device', 'Transfer']));
  await stop();
  expect(lines.filter((line) => /error|warning/.test(line))).toEqual([]);
});
