import type { ChildProcess } from 'node:child_process';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { buildPrograms, installAgent, killAll } from '../testing/installed-agent.ts';
import { wavHeader } from '../wav.ts';

const within = { interval: 200 };

async function makeAgent() {
  const server = await sharedTestServer();
  const folder = await mkdtemp(join(tmpdir(), 'earshot-status-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const programs = buildPrograms(join(folder, 'built'));
  const home = join(folder, 'home');
  const { start, hash } = await installAgent(home, programs.launcher, programs.agent);
  const person = await server.addPerson();
  const deviceSerial = `status-${person.userID}`;
  const { key: deviceID = 0 } = await person.session.createDevice({ body: { deviceSerial } });
  const { accessKey = '', secretKey = '' } = await person.session.createDeviceKey({
    params: { deviceID },
    body: { isWriteOnly: true },
  });
  const recordings = join(folder, 'recordings');
  await mkdir(recordings);
  const data = join(folder, 'data');
  const configPath = join(folder, 'agent.json');
  const config = {
    server: server.url,
    deviceSerial,
    accessKey,
    secretKey,
    folder: data,
    sources: [{ kind: 'folder', path: recordings, settleSeconds: 0 }],
  };
  await writeFile(configPath, JSON.stringify(config), { mode: 0o600 });
  const status = (program: string, path = configPath) =>
    new Promise<{ code: number; text: string }>((resolve) => {
      const child = execFile(process.execPath, [program, 'status', path], (_error, out, err) =>
        resolve({ code: child.exitCode ?? -1, text: out + err }),
      );
    });
  return { start, hash, home, programs, recordings, data, config, configPath, status, secretKey, deviceSerial };
}

const end = async (child: ChildProcess): Promise<void> => {
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
};

test('status tells what the agent does while it runs, and what it knew when it does not', async () => {
  const { start, hash, home, programs, recordings, data, configPath, status, secretKey, deviceSerial } =
    await makeAgent();
  const launcher = join(home, 'launch.mjs');
  expect(await status(launcher)).toEqual({
    code: 2,
    text: `The agent of ${deviceSerial} is not running, and there is no status of an earlier run.\n`,
  });
  // It makes nothing, not even the folder.
  await expect(readdir(data)).rejects.toThrow('ENOENT');

  const running = start(configPath);
  onTestFinished(() => killAll(running));
  await writeFile(join(recordings, '20261101_083000.wav'), Buffer.concat([wavHeader(32_000), Buffer.alloc(32_000)]));
  await vi.waitFor(async () => {
    const { code, text } = await status(launcher);
    expect(text).toMatch(/running since .* process \d+\n/);
    expect(text).toContain(hash);
    expect(text).toMatch(/to upload +1, when the platform asks/);
    expect(text).toMatch(/recordings: last sound 2026-11-01 /);
    expect(text).toContain('agrees with the platform');
    expect(code, text).toBe(0);
  }, within);
  const path = join(data, 'status.json');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(path, 'utf8')).not.toContain(secretKey);

  // It only reads, and does not disturb the agent, also by the link that names the version.
  const journal = await stat(join(data, 'journal'));
  expect((await status(join(home, 'current'))).code).toBe(0);
  expect((await stat(join(data, 'journal'))).mtimeMs).toBe(journal.mtimeMs);

  await rm(recordings, { recursive: true });
  await vi.waitFor(async () => {
    const { code, text } = await status(launcher);
    expect(text).toMatch(/fails: ENOENT/);
    expect(code).toBe(1);
  }, within);

  await end(running);
  const stopped = await status(programs.agent);
  expect(stopped.text).toContain('NOT RUNNING');
  expect(stopped.text).toMatch(/to upload +1/);
  expect(stopped.text).toMatch(/last error +20.*watching .*ENOENT/);
  expect(stopped.code).toBe(2);
});

test('an agent that was killed is not running, whatever its files say', async () => {
  const { start, home, data, configPath, status } = await makeAgent();
  const running = start(configPath);
  onTestFinished(() => killAll(running));
  await vi.waitFor(() => stat(join(data, 'status.json')), within);
  await killAll(running);
  expect((await readdir(data)).includes('running')).toBe(true);
  expect(await status(join(home, 'launch.mjs'))).toMatchObject({ code: 2 });
});

test('a configuration that cannot be used is exit code 78', async () => {
  const { programs, config, configPath, status } = await makeAgent();
  const missing = await status(programs.agent, `${configPath}.other`);
  expect(missing).toMatchObject({ code: 78, text: expect.stringContaining('There is no configuration') });
  await writeFile(configPath, JSON.stringify({ ...config, uplod: 'x' }));
  expect(await status(programs.agent)).toMatchObject({ code: 78, text: expect.stringContaining('uplod') });
  await chmod(configPath, 0o644);
  expect(await status(programs.agent)).toMatchObject({ code: 78, text: expect.stringContaining('chmod 600') });
});
