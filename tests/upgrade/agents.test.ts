import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPrograms } from '@earshot/agent/testing/installed-agent';
import { wavHeader } from '@earshot/agent/wav';
import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import { eventStatus } from '@earshot/contract/event-status';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { needs } from '@earshot/server/testing/needs';
import { expect, onTestFinished, test } from 'vitest';
import { adminSettings, signInAdmin } from '../process/admin.ts';
import { startServer } from '../process/server-process.ts';
import { findCommitBefore, openFormerVersion } from './former-version.ts';

/*
 * Devices are not updated together with the platform: an agent of the version before works with this server, and this agent
 * with a server of the version before. Both over plain http, where this agent signs its requests and asks for proof.
 */

/** The first migration that the version before does not have. */
const firstNewMigration = '0040_clip_recordings.sql';

interface Device {
  /** Writes a recording into the folder that the agent watches. */
  record(name: string): Promise<string>;
  start(program: string): ChildProcess;
  /** The names of the recordings whose sound the platform has, with repetitions. */
  arrived(): Promise<string[]>;
  /** Sends an event and waits for its end. */
  carryOut(eventType: string): Promise<number | undefined>;
}

async function connectDevice(url: string, folder: string): Promise<Device> {
  const admin = await signInAdmin(url);
  const { client } = await admin.withKey();
  const { key: deviceID = 0 } = await client.createDevice({ body: { deviceSerial: 'recorder-1', autoCaption: false } });
  const { credential } = await admin.withKey({ deviceID });
  const recordings = join(folder, 'recordings');
  await mkdir(recordings, { recursive: true });
  const config = {
    server: url,
    deviceSerial: 'recorder-1',
    accessKey: credential.accessKey,
    secretKey: credential.secretKey,
    folder: join(folder, 'agent'),
    upload: 'atOnce',
    sources: [{ kind: 'folder', path: recordings, settleSeconds: 0, removeUploaded: true }],
  };
  const configPath = join(folder, 'agent.json');
  await writeFile(configPath, JSON.stringify(config), { mode: 0o600 });
  return {
    async record(name) {
      const path = join(recordings, name);
      const fill = Buffer.from(name).reduce((sum, byte) => sum + byte, 0) % 251;
      await writeFile(path, Buffer.concat([wavHeader(16_000), Buffer.alloc(16_000, fill)]));
      return path;
    },
    start(program) {
      const child = spawn(process.execPath, [program, configPath], { stdio: 'ignore' });
      onTestFinished(() => void child.kill('SIGKILL'));
      return child;
    },
    async arrived() {
      const clips = await client.listAudioClips({ body: { deviceID, count: 1_000 } });
      const available = clips.filter((clip) => clip.audioClipStatus === audioClipStatus.available);
      return available.map(({ localFilePath = '' }) => localFilePath.split('/').at(-1) ?? '').toSorted();
    },
    async carryOut(eventType) {
      const { key: eventID = 0 } = await client.createEvent({ body: { deviceID, eventType } });
      const statusNow = async () => (await client.getEvent({ params: { eventID } })).eventStatus ?? 0;
      await expect.poll(statusNow).toBeGreaterThanOrEqual(eventStatus.complete);
      return statusNow();
    },
  };
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function stopAgent(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

/** Recordings arrive once and are removed, and events are carried out. */
async function expectWork(device: Device, program: string, name: string, before: readonly string[]): Promise<void> {
  const path = await device.record(name);
  const running = device.start(program);
  await expect.poll(() => device.arrived()).toEqual([...before, name].toSorted());
  await expect.poll(() => exists(path)).toBe(false);
  expect(await device.carryOut('Report_diagnostics')).toBe(eventStatus.complete);
  await stopAgent(running);
}

test('agents of the version before and of this one work with servers of both', needs('history'), async () => {
  const commit = await findCommitBefore(firstNewMigration);
  const former = await openFormerVersion(commit);
  const scratch = await openScratch();
  const formerAgent = buildPrograms(join(scratch, 'former-agent'), former).agent;
  const newAgent = buildPrograms(join(scratch, 'new-agent')).agent;
  for (const [name, checkout] of [
    ['former', former],
    ['new', undefined],
  ] as const) {
    const server = await startServer({
      dataDir: join(scratch, `${name}-server`),
      settings: adminSettings,
      ...(checkout === undefined ? {} : { checkout }),
    });
    const device = await connectDevice(server.url, join(scratch, `${name}-device`));
    // One device and one journal: an update of the agent, and an update that is taken back.
    await expectWork(device, formerAgent, 'a.wav', []);
    await expectWork(device, newAgent, 'b.wav', ['a.wav']);
    await expectWork(device, formerAgent, 'c.wav', ['a.wav', 'b.wav']);
    await expectWork(device, newAgent, 'd.wav', ['a.wav', 'b.wav', 'c.wav']);
  }
});
