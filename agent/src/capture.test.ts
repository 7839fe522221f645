import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from '@earshot/server/testing/needs';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { capture } from './capture.ts';
import type { CaptureSource } from './config.ts';
import { parseConfig } from './config.ts';
import type { Journal } from './journal.ts';
import { openJournal } from './journal.ts';
import { createLog } from './log.ts';
import { repeat } from './loop.ts';
import { bytesOfSeconds, wavHeader, wavHeaderBytes } from './wav.ts';

let folder: string;
let journal: Journal;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-capture-'));
  journal = await openJournal({ path: join(folder, 'journal'), onDamage: () => {} });
});
afterEach(async () => {
  await journal.close();
  await rm(folder, { recursive: true, force: true });
});

const within = { interval: 50 };

function readSource(source: object): CaptureSource {
  const device = { server: 'http://127.0.0.1', deviceSerial: 'recorder', accessKey: 'a', secretKey: 's' };
  return parseConfig(JSON.stringify({ ...device, sources: [source] })).sources[0] as CaptureSource;
}

/** Records as an agent does, until the test ends it. */
function record(source: object, silentMs?: number) {
  const stop = new AbortController();
  const lines: string[] = [];
  const parts = { folder, journal, onRecorded: () => {}, left: new Set<string>() };
  const running = repeat({ name: 'recording', log: createLog((line) => lines.push(line)), signal: stop.signal }, () =>
    capture(parts, readSource(source), 0, stop.signal, silentMs),
  );
  return {
    lines,
    end: () => {
      stop.abort();
      return running;
    },
  };
}

const readSounds = async () => {
  const paths = [...journal.entries.keys()];
  return Promise.all(paths.map(async (path) => (await readFile(path)).subarray(wavHeaderBytes)));
};

const makeSound = (seconds: number) => {
  const sound = Buffer.alloc(bytesOfSeconds(seconds));
  for (let at = 0; at < sound.length / 2; at++)
    sound.writeInt16LE(Math.round(9_000 * Math.sin(at / 7 + at ** 2 / 1e6)), 2 * at);
  return sound;
};

test('a sound card is recorded sample by sample', needs('ffmpeg'), async () => {
  const known = makeSound(2);
  await writeFile(join(folder, 'known.raw'), known);
  // A sound card of ALSA whose microphone is a file.
  const card = `pcm.known { type file slave.pcm { type null } file "/dev/null" infile "${join(folder, 'known.raw')}" format raw }`;
  await writeFile(join(folder, 'asound.conf'), card);
  vi.stubEnv('ALSA_CONFIG_PATH', join(folder, 'asound.conf'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const { lines, end } = record({
    kind: 'soundCard',
    device: 'known',
    sampleRate: 16_000,
    channels: 1,
    clipSeconds: 1,
  });
  await vi.waitFor(() => {
    const bytes = [...journal.entries.values()].reduce((sum, entry) => sum + entry.bytes - wavHeaderBytes, 0);
    expect([lines, bytes > known.length / 2]).toEqual([[], true]);
  }, within);
  await end();
  // A machine that is slower than the sound begins further recordings; their samples follow each other.
  let position = 0;
  for (const sound of await readSounds()) {
    if (position >= known.length / 2) break;
    const at = known.indexOf(sound, position);
    expect(at).toBeGreaterThanOrEqual(position);
    position = at + sound.length;
  }
  expect(position).toBeGreaterThanOrEqual(known.length / 2);
});

test('a sound card that does not exist is reported, and tried again', needs('ffmpeg'), async () => {
  await writeFile(join(folder, 'asound.conf'), '');
  vi.stubEnv('ALSA_CONFIG_PATH', join(folder, 'asound.conf'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const { lines, end } = record({ kind: 'soundCard', device: 'missing' });
  await vi.waitFor(() => expect(lines.join()).toMatch(/warning: recording: ffmpeg ended: .*missing/), within);
  await end();
});

test('a stream that breaks off is recorded to its end, and again when it returns', needs('ffmpeg'), async () => {
  const sent = makeSound(2);
  const open: ServerResponse[] = [];
  let connections = 0;
  const http = createServer((_request, response) => {
    connections += 1;
    if (connections === 2) return void response.writeHead(503).end();
    response.writeHead(200, { 'content-type': 'audio/wav' }).write(Buffer.concat([wavHeader(0x7fff_0000), sent]));
    if (connections === 1) setTimeout(() => response.destroy(), 500);
    else open.push(response);
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/live.wav`;
  const { lines, end } = record({ kind: 'stream', url });
  await vi.waitFor(() => expect(open).toHaveLength(1), within);
  await vi.waitFor(async () => {
    open[0]?.end();
    expect(journal.entries.size).toBe(2);
  }, within);
  await end();
  for (const sound of await readSounds()) expect(sound.equals(sent.subarray(0, sound.length))).toBe(true);
  expect((await readSounds()).map(({ length }) => length)).toEqual([sent.length, sent.length]);
  expect(lines.join('\n')).toMatch(/ffmpeg ended/);
});

test('a stream whose sender vanished is left, with its sound kept, and opened again', needs('ffmpeg'), async () => {
  // Long enough for ffmpeg to know what it reads.
  const sent = makeSound(10);
  let connections = 0;
  const http = createServer((_request, response) => {
    connections += 1;
    response.writeHead(200, { 'content-type': 'audio/wav' }).write(Buffer.concat([wavHeader(0x7fff_0000), sent]));
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/live.wav`;
  const { lines, end } = record({ kind: 'stream', url }, 5_000);
  // On a busy machine that may pass before the first sound comes: then nothing was there to keep.
  await vi.waitFor(() => {
    expect(journal.entries.size).toBeGreaterThan(0);
    expect(connections).toBeGreaterThan(1);
  }, within);
  await end();
  expect(lines.join('\n')).toMatch(/no sound came for 5 s/);
});
