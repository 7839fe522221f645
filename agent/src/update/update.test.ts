import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildVersion } from '@earshot/contract/build-version';
import { eventStatus } from '@earshot/contract/event-status';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createAnyUpdate } from '../testing/any-update.ts';
import { buildPrograms, installAgent, killAll, servePlatform } from '../testing/installed-agent.ts';
import { hashOfVersion, readCurrent, readTrial } from './versions.ts';

let server: TestServer;
let platform: Awaited<ReturnType<typeof servePlatform>>;
let folder: string;
let programs: ReturnType<typeof buildPrograms>;
beforeAll(async () => {
  server = await startTestServer();
  platform = await servePlatform(server.url);
  folder = await mkdtemp(join(tmpdir(), 'earshot-update-'));
  programs = buildPrograms(join(folder, 'built'));
});
afterAll(async () => {
  platform.stop();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const build = (version: string, sha256: string) => `${version} (build ${sha256.slice(0, 12)})`;
const within = { interval: 100 };

test('an update is kept when the new version reaches the platform, else the former version returns', async () => {
  const { client, credential } = await server.admin.withKey();
  const device = await client.createDevice({ body: { deviceName: 'updated', deviceSerial: 'updated' } });
  const home = join(folder, 'home');
  const { start, hash: first } = await installAgent(home, programs.launcher, programs.agent);
  const configPath = join(folder, 'agent.json');
  const { accessKey, secretKey } = credential;
  const config = {
    server: platform.url,
    deviceSerial: 'updated',
    accessKey,
    secretKey,
    folder: join(folder, 'data'),
    allow: ['Update_software'],
    updateConfirmSeconds: 20,
  };
  await writeFile(configPath, JSON.stringify(config), { mode: 0o600 });
  const send = await createAnyUpdate(server, client, device.key ?? 0);
  const ended = (eventID: number) =>
    vi.waitFor(async () => {
      const event = await client.getEvent({ params: { eventID } });
      expect([eventStatus.complete, eventStatus.error]).toContain(event.eventStatus);
      return { status: event.eventStatus, result: event.result };
    }, within);
  const update = async (parameters: object) => ended(await send(parameters));

  let running: ChildProcess = start(configPath);
  try {
    const agent = await readFile(programs.agent, 'utf8');
    const second = platform.offer(`${agent}\n// the second\n`);
    expect(await update({ version: '2.0.0', sha256: second })).toEqual({
      status: eventStatus.complete,
      result: `Version ${build('2.0.0', second)} is running; the former one was ${build(buildVersion, first)}.`,
    });
    expect(await readCurrent(home)).toBe(second);
    expect(await readTrial(home)).toBeUndefined();
    expect(await update({ version: '2.0.0', sha256: second.toUpperCase() })).toEqual({
      status: eventStatus.complete,
      result: `Version ${build(buildVersion, second)} is running already.`,
    });

    // Versions that end, and that never reach the platform.
    const broken = platform.offer('process.stderr.write("no such module\\n"); process.exitCode = 3;\n');
    expect(await update({ version: '3.0.0', sha256: broken })).toEqual({
      status: eventStatus.error,
      result: `Version ${build('3.0.0', broken)} was not kept: exit code 3: no such module. Version ${build(buildVersion, second)} is running.`,
    });
    expect(await readCurrent(home)).toBe(second);
    await writeFile(configPath, JSON.stringify({ ...config, updateConfirmSeconds: 1 }), { mode: 0o600 });
    const silent = platform.offer('setInterval(() => {}, 1_000);\n');
    expect(await update({ version: '3.0.1', sha256: silent })).toEqual({
      status: eventStatus.error,
      result: `Version ${build('3.0.1', silent)} was not kept: it did not reach the platform within 1 s. Version ${build(buildVersion, second)} is running.`,
    });

    // What is refused changes nothing.
    const wrong = platform.offer(agent, hashOfVersion(Buffer.from('another file')));
    for (const [parameters, reason] of [
      [{ version: '4.0.0', sha256: wrong }, /^The platform sent a file with the SHA-256 .* it was not installed\.$/],
      [{ version: '4.0.0', sha256: 'f'.repeat(64) }, /was answered 404/],
      [{ version: '4.0.0', sha256: second, url: 'https://elsewhere.example' }, /^url is not a parameter/],
      [{ version: '4.0.0', sha256: '12' }, /^sha256 must be/],
      [{ sha256: second }, /^version must be/],
    ] as const) {
      const refused = await update(parameters);
      expect(refused).toMatchObject({ status: eventStatus.error });
      expect(refused.result).toMatch(reason);
    }
    expect(await readCurrent(home)).toBe(second);
    expect(await readdir(join(home, 'versions'))).toEqual([`${second}.mjs`]);

    // The power fails while a new version is on trial: it goes on afterwards.
    await writeFile(configPath, JSON.stringify({ ...config, updateConfirmSeconds: 60 }), { mode: 0o600 });
    const late = platform.offer(`${agent}\n// the late one\n`);
    const eventID = await send({ version: '5.0.0', sha256: late });
    await vi.waitFor(async () => {
      platform.setDown((await readCurrent(home)) === late);
      expect(await readTrial(home)).toMatchObject({ to: late, starts: 1 });
    }, within);
    await killAll(running);
    platform.setDown(false);
    running = start(configPath);
    expect(await ended(eventID)).toEqual({
      status: eventStatus.complete,
      result: `Version ${build('5.0.0', late)} is running; the former one was ${build(buildVersion, second)}.`,
    });
    const history = await client.listEventHistory({ params: { eventID } });
    expect(history.filter(({ toStatus }) => toStatus === eventStatus.complete)).toHaveLength(1);
  } finally {
    platform.setDown(false);
    const exit = once(running, 'exit');
    running.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  }
});
