import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestServer } from '@earshot/server/testing/server';
import { needs } from '@earshot/server/testing/needs';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openInstallation } from './open-installation.ts';
import type { ScriptOptions } from './run-script.ts';
import { makeHome, runScript } from './run-script.ts';

const curl = needs('curl');

let server: TestServer;
let script: string;
let makeCode: Awaited<ReturnType<typeof openInstallation>>['makeCode'];
beforeAll(async () => {
  ({ server, script, makeCode } = await openInstallation());
});
afterAll(() => server.stop());

const programs = '.local/share/earshot-agent';
const config = '.config/earshot-agent/agent.json';
const state = '.local/state/earshot-agent';
const command = '.local/bin/earshot-agent';
const uninstall = (home: string, ...args: string[]) => runScript(home, script, { args: ['--uninstall', ...args] });
const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** An installed agent with one recording that was not sent. */
async function installed(options: ScriptOptions = {}) {
  const home = await makeHome();
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const { code, deviceSerial } = await makeCode();
  const run = await runScript(home, script, { ...options, env: { EARSHOT_CODE: code, EARSHOT_SOURCE: 'none' } });
  expect(run, run.output).toMatchObject({ status: 0 });
  return { home, deviceSerial };
}

async function record(folder: string): Promise<string> {
  await mkdir(join(folder, 'sound'), { recursive: true });
  await writeFile(join(folder, 'journal'), '');
  await writeFile(join(folder, 'sound/1000-0.wav'), 'sound');
  return join(folder, 'sound/1000-0.wav');
}

test('it stops and removes the agent, keeps unsent recordings, and tells how to revoke the key', curl, async () => {
  const { home, deviceSerial } = await installed();
  const recording = await record(join(home, state));
  const { accessKey, secretKey } = JSON.parse(await readFile(join(home, config), 'utf8')) as Record<string, string>;
  // Started by hand, because there is no systemd; and somebody only looks at the program.
  const running = spawn(process.execPath, [join(home, programs, 'launch.mjs'), join(home, config), 'stay']);
  const other = spawn('tail', ['-f', join(home, programs, 'launch.mjs')]);
  onTestFinished(() => void [running.kill('SIGKILL'), other.kill('SIGKILL')]);
  await once(running.stdout, 'data');
  const ended = once(running, 'exit');

  const { status, output } = await uninstall(home);
  expect(status, output).toBe(0);
  expect(await ended).toEqual([null, 'SIGTERM']);
  expect(other.exitCode).toBeNull();
  for (const path of [programs, '.config/earshot-agent', command]) expect(await exists(join(home, path))).toBe(false);
  expect(await exists(recording)).toBe(true);
  expect(output).toContain(`Unsent recordings that stay: 1, in ${join(home, state)}.`);
  expect(output).toContain(`The key ${accessKey!.slice(0, 8)}… of the device ${deviceSerial} works until`);
  expect(output).toContain(`${server.url}/devices`);
  expect(output).toContain(`earshot keys list ${deviceSerial}`);
  expect(output).toContain(`DELETE ${server.url}/v1/apikey/NUMBER`);
  expect(output).not.toContain(secretKey!);

  const again = await uninstall(home);
  expect(again.status, again.output).toBe(0);
  expect(again.output).toContain('No agent is installed');
  expect(await exists(recording)).toBe(true);
  const removed = await uninstall(home, '--remove-recordings');
  expect(removed.status, removed.output).toBe(0);
  expect(removed.output).toContain('Unsent recordings that were removed: 1.');
  expect(await exists(join(home, state))).toBe(false);
  expect(await uninstall(home)).toMatchObject({ status: 0 });
});

test.for([programs, '.config/earshot-agent', '.local/bin'])(
  'of a half installation, %s is removed too',
  curl,
  async (left) => {
    const { home } = await installed();
    for (const path of [programs, '.config/earshot-agent', '.local/bin', state])
      if (path !== left) await rm(join(home, path), { recursive: true });
    const { status, output } = await uninstall(home);
    expect(status, output).toBe(0);
    expect(output).toContain('The agent is removed.');
    for (const path of [programs, config, command]) expect(await exists(join(home, path))).toBe(false);
  },
);

test('on a terminal it asks about unsent recordings', needs('curl', 'script'), async () => {
  const ask = async (typed: string) => {
    const { home } = await installed();
    const recording = await record(join(home, state));
    const run = await runScript(home, script, { args: ['--uninstall'], typed });
    expect(run.output).toContain(`Unsent recordings of this device: 1, in ${join(home, state)}. Keep them? [Y/n]`);
    expect(run.status, run.output).toBe(0);
    return exists(recording);
  };
  expect(await ask('\n')).toBe(true);
  expect(await ask('n\n')).toBe(false);
});

test('recordings that stay are never sent as those of another device', curl, async () => {
  const { home, deviceSerial } = await installed();
  await record(join(home, state));
  await uninstall(home);
  const other = await makeCode();
  const folderOf = async () => (JSON.parse(await readFile(join(home, config), 'utf8')) as { folder: string }).folder;
  expect(await runScript(home, script, { env: { EARSHOT_CODE: other.code } })).toMatchObject({ status: 0 });
  expect(await folderOf()).toBe(join(home, state, other.deviceSerial));
  await record(await folderOf());
  await uninstall(home);
  const { key: deviceID = 0 } = await server.admin.session.findDeviceByName({ body: { deviceName: deviceSerial } });
  for (const [id, folder] of [
    [deviceID, join(home, state)],
    [
      (await server.admin.session.findDeviceByName({ body: { deviceName: other.deviceSerial } })).key ?? 0,
      join(home, state, other.deviceSerial),
    ],
  ] as const) {
    const { code = '' } = await server.admin.session.createInstallationCode({ params: { deviceID: id } });
    expect(await runScript(home, script, { env: { EARSHOT_CODE: code } })).toMatchObject({ status: 0 });
    expect(await folderOf()).toBe(folder);
    await uninstall(home);
  }
});

test('of a folder that somebody chose, only files of the agent are removed', curl, async () => {
  const { home } = await installed();
  const chosen = join(home, "a disk's folder");
  const text = await readFile(join(home, config), 'utf8');
  await writeFile(join(home, config), JSON.stringify({ ...(JSON.parse(text) as object), folder: chosen }));
  await record(chosen);
  await writeFile(join(chosen, 'letter.txt'), 'mine');
  const { status, output } = await uninstall(home, '--remove-recordings');
  expect(status, output).toBe(0);
  expect(output).toContain('Unsent recordings that were removed: 1.');
  expect(await readdir(chosen)).toEqual(['letter.txt']);
});

test('the command shows the status; another program of its name stays', curl, async () => {
  const none = await makeHome();
  onTestFinished(() => rm(none, { recursive: true, force: true }));
  const nothing = await runScript(none, script, { args: ['--status'] });
  expect(nothing).toMatchObject({ status: 3, output: expect.stringContaining('No agent is installed') });
  expect(await readdir(none)).toEqual(['bin']);

  const { home } = await installed();
  const shown = await runScript(home, script, { args: ['--status'] });
  expect(shown).toEqual({ status: 1, output: `agent 1.0.0 status ${join(home, config)}\n` });
  const run = (word: string) => runScript(home, `exec ${join(home, command)} ${word}`);
  expect(await run('status')).toEqual(shown);
  expect(await run('stop')).toMatchObject({ status: 64, output: expect.stringContaining('--uninstall') });

  await writeFile(join(home, command), '#!/bin/sh\necho mine\n');
  const upgraded = await runScript(home, script);
  expect(upgraded.output).toContain('is another program and was not replaced');
  expect(await uninstall(home)).toMatchObject({ status: 0 });
  expect(await readFile(join(home, command), 'utf8')).toContain('mine');
});

test('an unknown option does nothing', curl, async () => {
  const { home } = await installed();
  const wrong = await runScript(home, script, { args: ['--uninstal'] });
  expect(wrong).toMatchObject({ status: 64, output: expect.stringContaining('--uninstal is not an option') });
  expect(await runScript(home, script, { args: ['--remove-recordings'] })).toMatchObject({ status: 1 });
  expect(await exists(join(home, config))).toBe(true);
});

test.for([true, false])('as root, with systemd: %s', curl, async (hasSystemd) => {
  const options = { isRoot: true, hasSystemd };
  const { home } = await installed(options);
  const called = async () => {
    const text = await readFile(join(home, 'bin/called'), 'utf8').catch(() => '');
    await rm(join(home, 'bin/called'), { force: true });
    return text;
  };
  expect(await exists(join(home, 'usr/local/bin/earshot-agent'))).toBe(true);
  const unit = join(home, 'etc/systemd/system/earshot-agent.service');
  expect(await exists(unit)).toBe(hasSystemd);
  await called();
  const shown = await runScript(home, `exec ${join(home, 'usr/local/bin/earshot-agent')} status`, options);
  expect(shown).toMatchObject({ status: 1, output: expect.stringContaining('agent 1.0.0 status') });
  // Root does not run a program that the service may replace.
  expect(await called()).toBe('su earshot-agent\n');

  const recording = await record(join(home, 'var/lib/earshot-agent'));
  const kept = await runScript(home, script, { ...options, args: ['--uninstall'] });
  expect(kept.status, kept.output).toBe(0);
  const calls = await called();
  expect(calls.includes('systemctl disable --now --quiet earshot-agent')).toBe(hasSystemd);
  expect(calls).not.toContain('userdel');
  for (const path of ['opt/earshot-agent', 'etc/earshot-agent', 'usr/local/bin/earshot-agent'])
    expect(await exists(join(home, path))).toBe(false);
  expect(await exists(unit)).toBe(false);
  expect(await exists(recording)).toBe(true);
  const args = ['--uninstall', '--remove-recordings'];
  const removed = await runScript(home, script, { ...options, args });
  expect(removed.status, removed.output).toBe(0);
  expect(await exists(join(home, 'var/lib/earshot-agent'))).toBe(false);
  expect(await called()).toContain('userdel earshot-agent');
});
