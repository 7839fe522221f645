import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventStatus } from '@earshot/contract/event-status';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { runAgent } from '../agent.ts';
import type { System } from '../commands.ts';
import type { AgentConfig } from '../config.ts';
import { parseConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { wavHeader } from '../wav.ts';

/** How long a test waits for something that an agent does. */
export const within = { interval: 100 };

/** A server for the tests of a file, and a folder for each test. Call it at the top of the file. */
export function prepareAgentTests() {
  let server: TestServer;
  let folder: string;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'earshot-agent-'));
    await mkdir(join(folder, 'recordings'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  return {
    get server() {
      return server;
    },
    get folder() {
      return folder;
    },
    /** The folder that agents watch. */
    get recordings() {
      return join(folder, 'recordings');
    },
    makeDevice: (settings = {}) => addAgentDevice(server, folder, settings),
  };
}

/** A device, its agent's configuration, and a way to run the agent. */
export async function addAgentDevice(
  server: TestServer,
  folder: string,
  settings: Partial<Record<keyof AgentConfig, unknown>> = {},
) {
  const { client } = await server.admin.withKey();
  const deviceSerial = `agent-${randomUUID()}`;
  const { key: deviceID = 0 } = await client.createDevice({ body: { deviceName: deviceSerial, deviceSerial } });
  const { accessKey, secretKey } = await server.admin.session.createDeviceKey({
    params: { deviceID },
    body: { isWriteOnly: true },
  });
  const config = parseConfig(
    JSON.stringify({
      server: server.url,
      deviceSerial,
      accessKey,
      secretKey,
      folder: join(folder, 'agent'),
      sources: [{ kind: 'folder', path: join(folder, 'recordings'), settleSeconds: 0 }],
      allowNetworks: [],
      ...settings,
    }),
  );
  const lines: string[] = [];
  const start = (system: System = { bootID: 'one', reboot: async () => {} }) => {
    const stop = new AbortController();
    const running = runAgent({
      config,
      version: '0.0.1-test',
      log: createLog((line) => lines.push(line)),
      restart: () => stop.abort(),
      installation: undefined,
      system,
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
  const ended = (eventID: number) =>
    vi.waitFor(async () => {
      const now = await client.getEvent({ params: { eventID } });
      expect([eventStatus.complete, eventStatus.error]).toContain(now.eventStatus);
      return now;
    }, within);
  const enqueue = async (eventType: string, parameters: object = {}): Promise<number> => {
    const body = { deviceID, eventType, eventParameters: JSON.stringify(parameters) };
    return (await client.createEvent({ body })).key ?? 0;
  };
  const send = async (eventType: string, parameters: object = {}) => ended(await enqueue(eventType, parameters));
  return { client, deviceID, start, listClips, lines, ended, enqueue, send };
}

export function makeSound(seconds: number, tone: number): Buffer {
  const sound = Buffer.alloc(seconds * 32_000);
  for (let at = 0; at < sound.length; at += 2)
    sound.writeInt16LE(Math.round(9_000 * Math.sin((at * tone) / 9_000)), at);
  return Buffer.concat([wavHeader(sound.length), sound]);
}

export const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
