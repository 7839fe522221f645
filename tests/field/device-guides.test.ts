import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deviceGuides } from '@earshot/contract/device-guides';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { needs } from '@earshot/server/testing/needs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';

/* The commands of "Connect a recorder", run by a shell with real curl. */

const run = promisify(execFile);
let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-guide-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function commandOf(id: 'linux' | 'curl', origin = server.url) {
  const { session } = server.admin;
  const { key: deviceID = 0 } = await session.createDevice({
    body: { deviceSerial: `guide-${id}-${folder.slice(-6)}` },
  });
  const { accessKey = '', secretKey = '' } = await session.createDeviceKey({
    params: { deviceID },
    body: { isWriteOnly: true },
  });
  const guide = deviceGuides({ origin, accessKey, secretKey }).find((one) => one.id === id);
  const clips = async () =>
    (await session.listAudioClipPage({ body: { deviceIDList: [deviceID], order: 'asc' } })).results;
  return { command: guide?.command ?? '', clips };
}

const shell = (command: string) =>
  run('sh', ['-c', command], { cwd: folder, env: { PATH: `${folder}/bin:${process.env['PATH'] ?? ''}` } });

test('curl: one file becomes a clip', needs('curl'), async () => {
  const { command, clips } = await commandOf('curl');
  await writeFile(join(folder, 'recording.wav'), tinyWav(1));
  await shell(command);
  expect(await clips()).toMatchObject([{ clipLengthInSeconds: 1, audioClipStatus: 3 }]);
});

/** A recorder that writes two files and then stops. */
async function addRecorder(): Promise<void> {
  await writeFile(join(folder, 'sound'), tinyWav(1));
  await run('mkdir', [join(folder, 'bin')]);
  const program = [
    '#!/bin/sh',
    'for last; do :; done',
    '[ -e two ] && exit 1',
    '[ -e one ] && touch two',
    'touch one',
    'sleep 1.1',
    'cp sound "$last"',
  ].join('\n');
  await writeFile(join(folder, 'bin/arecord'), program);
  await chmod(join(folder, 'bin/arecord'), 0o755);
}

test('Linux: each recording is sent, at the time of its name, and removed', needs('curl'), async () => {
  const { command, clips } = await commandOf('linux');
  await addRecorder();
  const before = Math.floor(Date.now() / 1_000);
  await shell(command);
  const found = await clips();
  expect(found).toHaveLength(2);
  for (const { startTime = 0 } of found) expect(startTime).toBeGreaterThanOrEqual(before);
  expect((await readdir(folder)).filter((name) => name.endsWith('.wav'))).toEqual([]);
});

test('Linux: what could not be sent stays', needs('curl'), async () => {
  const { command } = await commandOf('linux', 'http://127.0.0.1:9');
  await addRecorder();
  await shell(command).catch(() => {});
  expect((await readdir(folder)).filter((name) => name.endsWith('.wav'))).toHaveLength(2);
});
