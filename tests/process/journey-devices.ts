import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Client } from '@earshot/client/client';
import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import { eventStatus } from '@earshot/contract/event-status';
import { expect, onTestFinished, vi } from 'vitest';
import { sha256 } from '../../server/src/features/file/tests/sound.ts';
import { openSpeaker } from '../../server/src/platform/speech/speak.ts';
import { repository } from './server-process.ts';

/** What the journey test does with its recorders and asks the server. */

export const patience = { timeout: 300_000, interval: 500 };

/** A recorder and the agent that watches its folder. */
export interface Device {
  readonly serial: string;
  readonly deviceID: number;
  /** Where its recorder writes. */
  readonly recordings: string;
  readonly configPath: string;
  agent: ChildProcess;
}

const program = join(repository, 'agent/dist/agent.mjs');

export function startAgent(configPath: string): ChildProcess {
  const agent = spawn(process.execPath, [program, configPath], { stdio: 'ignore' });
  onTestFinished(() => void agent.kill('SIGKILL'));
  return agent;
}

export async function killAgent(device: Device): Promise<void> {
  device.agent.kill('SIGKILL');
  await once(device.agent, 'exit');
  device.agent = startAgent(device.configPath);
}

export async function speak(text: string): Promise<Buffer> {
  const speaker = openSpeaker();
  try {
    return await speaker.speak('slt', text);
  } finally {
    await speaker.close();
  }
}

/** The same sound with other bytes: the last sample is a number. */
export function withMark(sound: Uint8Array, mark: number): Buffer {
  const marked = Buffer.from(sound);
  marked.writeInt16LE(mark % 30_000, marked.length - 2);
  return marked;
}

/** A recorder writes under another name until the recording is complete. */
export async function record({ recordings }: Device, startMs: number, sound: Uint8Array): Promise<void> {
  const name = new Date(startMs).toISOString().replaceAll(/[-:]/g, '').slice(0, 15).replace('T', '_');
  await writeFile(join(recordings, `.${name}.wav`), sound);
  await rename(join(recordings, `.${name}.wav`), join(recordings, `${name}.wav`));
}

/** The hashes of the recordings on the device, by their starts. */
export async function readRecordings({ recordings }: Device): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (const name of (await readdir(recordings)).toSorted()) {
    if (name.startsWith('.')) continue;
    const time = name.replace(/^(\d{4})(\d{2})(\d{2})_(\d{2})(\d{2})(\d{2})\.wav$/, '$1-$2-$3T$4:$5:$6Z');
    found.set(Date.parse(time), sha256(await readFile(join(recordings, name))));
  }
  return found;
}

export async function sizeOfAll(device: Device): Promise<number> {
  const names = (await readdir(device.recordings)).filter((name) => !name.startsWith('.'));
  const files = await Promise.all(names.map((name) => readFile(join(device.recordings, name))));
  const headBytes = 100;
  return files.reduce((sum, { length }) => sum + length - headBytes, 0);
}

/** Oldest first. */
export async function listClips(client: Client, { deviceID }: Device) {
  const clips = [];
  for (let cursor: string | undefined, isLast = false; !isLast; isLast = cursor === undefined) {
    const body = { deviceIDList: [deviceID], count: 1_000, order: 'asc', ...(cursor ? { cursor } : {}) };
    const page = await client.listAudioClipPage({ body });
    clips.push(...page.results);
    cursor = page.next;
  }
  return clips;
}

export async function requestMissing(client: Client, device: Device): Promise<void> {
  const wanted = new Set<number>([audioClipStatus.onDevice, audioClipStatus.uploadFailed]);
  const missing = (await listClips(client, device))
    .filter(({ audioClipStatus: status = 0 }) => wanted.has(status))
    .map(({ key = 0 }) => key);
  if (missing.length > 0) await client.requestUpload({ body: { deviceID: device.deviceID, audioClips: missing } });
}

export async function waitForSound(client: Client, device: Device, count: number): Promise<void> {
  await vi.waitFor(async () => {
    const clips = await listClips(client, device);
    expect(clips.map(({ audioClipStatus: status }) => status)).toEqual(
      Array.from({ length: count }, () => audioClipStatus.available),
    );
  }, patience);
}

/** The result of an event when it is complete. */
export async function waitForEnd(client: Client, eventID: number): Promise<string> {
  return vi.waitFor(async () => {
    const event = await client.getEvent({ params: { eventID } });
    expect(event).toMatchObject({ eventStatus: eventStatus.complete });
    return event.result ?? '';
  }, patience);
}

/** Takes the bytes of an export. */
export async function startReceiver() {
  let bytes = 0;
  const http = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => response.end());
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void http.close());
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/export`, received: () => bytes };
}

/** Until all recordings of a device are at the platform with their bytes, each once and nothing else. */
export async function waitForAgreement(client: Client, device: Device, upload: 'requested' | 'atOnce'): Promise<void> {
  const files = await readRecordings(device);
  await vi.waitFor(async () => {
    const clips = await listClips(client, device);
    expect(clips.length).toBeGreaterThanOrEqual(files.size);
    if (upload === 'requested') await requestMissing(client, device);
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
