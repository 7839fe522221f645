import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestServer } from '@earshot/server/testing/server';
import { expect, onTestFinished, test } from 'vitest';
import { buildPrograms, installAgent } from './testing/installed-agent.ts';
import { serveMicrophone } from './testing/serve-microphone.ts';
import { wavHeader } from './wav.ts';

const minutes = 3;
const files = 1_000;

/** The resident memory of a process and of those that it started, in bytes. */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  let bytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1_024;
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const children = await readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '');
    for (const child of children.split(' ').filter(Boolean)) bytes += await residentBytes(Number(child));
  }
  return bytes;
}

test('launcher, agent and ffmpeg fit a device with 512 MB', { timeout: 900_000 }, async () => {
  const server = await startTestServer();
  const folder = await mkdtemp(join(tmpdir(), 'earshot-memory-'));
  onTestFinished(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const { client, credential } = await server.admin.withKey();
  await client.createDevice({ body: { deviceName: 'small', deviceSerial: 'small' } });
  const recordings = join(folder, 'recordings');
  await mkdir(recordings);
  for (let file = 0; file < files; file++)
    await writeFile(join(recordings, `${file}.wav`), Buffer.concat([wavHeader(64_000), Buffer.alloc(64_000, file)]));
  const { url } = await serveMicrophone();
  const config = {
    server: server.url,
    deviceSerial: 'small',
    accessKey: credential.accessKey,
    secretKey: credential.secretKey,
    folder: join(folder, 'data'),
    upload: 'atOnce',
    sources: [
      { kind: 'stream', url, clipSeconds: 10, when: 'voice' },
      { kind: 'stream', url, clipSeconds: 10 },
      { kind: 'folder', path: recordings, settleSeconds: 0 },
    ],
  };
  const configPath = join(folder, 'agent.json');
  await writeFile(configPath, JSON.stringify(config), { mode: 0o600 });
  const programs = buildPrograms(join(folder, 'built'));
  const { start } = await installAgent(join(folder, 'home'), programs.launcher, programs.agent);
  const running = start(configPath);
  let most = 0;
  for (const endMs = Date.now() + minutes * 60_000; Date.now() < endMs; await sleep(500))
    most = Math.max(most, await residentBytes(running.pid ?? 0));
  const exit = once(running, 'exit');
  running.kill('SIGTERM');
  await exit;
  process.stdout.write(`At most ${Math.round(most / 1e6)} MB in ${minutes} minutes.\n`);
  // Two programs of Node and two of ffmpeg at least, and half of the device left for the system.
  expect(most).toBeGreaterThan(60e6);
  expect(most).toBeLessThan(256e6);
});
