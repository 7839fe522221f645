import { readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestServer } from '@earshot/server/testing/server';
import { needs } from '@earshot/server/testing/needs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openInstallation } from './open-installation.ts';
import { makeHome, runScript } from './run-script.ts';

const curl = needs('curl');

let server: TestServer;
let script: string;
let makeCode: Awaited<ReturnType<typeof openInstallation>>['makeCode'];
beforeAll(async () => {
  ({ server, script, makeCode } = await openInstallation());
});
afterAll(() => server.stop());

const install = (home: string, env: Readonly<Record<string, string>>, text = script) => runScript(home, text, { env });

const configOf = async (home: string) =>
  JSON.parse(await readFile(join(home, '.config/earshot-agent/agent.json'), 'utf8')) as Record<string, unknown>;

test('the script installs the agent, and keeps code and key out of arguments and output', curl, async () => {
  const home = await makeHome();
  const { code, deviceSerial } = await makeCode();
  const { status, output } = await install(home, { EARSHOT_CODE: code, EARSHOT_SOURCE: 'folder:/srv/calls' });
  expect(output).toContain(`This device is ${deviceSerial}.`);
  expect(status).toBe(0);
  const config = await configOf(home);
  expect(config).toMatchObject({
    server: server.url,
    deviceSerial,
    folder: join(home, '.local/state/earshot-agent'),
    sources: [{ kind: 'folder', path: '/srv/calls' }],
    upload: 'requested',
    allow: ['Update_software'],
    allowNetworks: [],
  });
  expect((await stat(join(home, '.config/earshot-agent/agent.json'))).mode & 0o777).toBe(0o600);
  const folder = join(home, '.local/share/earshot-agent');
  const link = await readlink(join(folder, 'current'));
  expect(link).toMatch(/^versions\/[0-9a-f]{64}\.mjs$/);
  expect(await readFile(join(folder, link), 'utf8')).toContain('agent 1.0.0');
  expect(await readFile(join(folder, 'launch.mjs'), 'utf8')).toContain('launch');
  expect(output).toContain(`${folder}/launch.mjs ${home}/.config/earshot-agent/agent.json`);
  const seen = await readFile(join(home, 'bin', 'seen'), 'utf8');
  for (const secret of [code, String(config['secretKey']), String(config['accessKey'])]) {
    expect(seen + output + JSON.stringify(server.log.lines)).not.toContain(secret);
  }
});

test(
  'run again it upgrades and keeps the configuration; a new code changes the key and keeps settings',
  curl,
  async () => {
    const home = await makeHome();
    const first = await makeCode();
    await install(home, { EARSHOT_CODE: first.code, EARSHOT_SOURCE: 'soundCard:hw:1', EARSHOT_UPLOAD: 'atOnce' });
    const before = await configOf(home);
    expect(await install(home, {})).toMatchObject({ status: 0 });
    expect(await configOf(home)).toEqual(before);
    const second = await makeCode();
    expect(await install(home, { EARSHOT_CODE: second.code })).toMatchObject({ status: 0 });
    const { accessKey, ...after } = await configOf(home);
    expect(accessKey).not.toBe(before['accessKey']);
    expect(after).toMatchObject({
      deviceSerial: second.deviceSerial,
      sources: [{ kind: 'soundCard', device: 'hw:1' }],
      upload: 'atOnce',
      // Not mixed with the recordings of the other device.
      folder: join(home, '.local/state/earshot-agent', second.deviceSerial),
    });
  },
);

test('a configuration of before a setting is not given it', curl, async () => {
  const home = await makeHome();
  await install(home, { EARSHOT_CODE: (await makeCode()).code });
  const { allowNetworks, ...former } = await configOf(home);
  expect(allowNetworks).toEqual([]);
  await writeFile(join(home, '.config/earshot-agent/agent.json'), JSON.stringify(former));
  expect(await install(home, { EARSHOT_CODE: (await makeCode()).code })).toMatchObject({ status: 0 });
  expect(await configOf(home)).not.toHaveProperty('allowNetworks');
});

test('a failure names what to do and changes nothing', curl, async () => {
  const home = await makeHome();
  const nothingThere = async () => expect(await readdir(join(home, '.config')).catch(() => [])).toEqual([]);
  const wrong = await install(home, { EARSHOT_CODE: '0000-0000-0000' });
  expect(wrong).toMatchObject({ status: 1, output: expect.stringContaining('Make a new code in the console.') });
  const silent = await install(home, {});
  expect(silent).toMatchObject({ status: 1, output: expect.stringContaining('Set EARSHOT_CODE') });
  const { code } = await makeCode();
  const altered = script.replace(/agent_sha256='[0-9a-f]{4}/, `agent_sha256='0000`);
  expect(await install(home, { EARSHOT_CODE: code }, altered)).toMatchObject({
    status: 1,
    output: expect.stringContaining('could not be downloaded'),
  });
  expect(await install(home, { EARSHOT_CODE: '$(id)' })).toMatchObject({
    status: 1,
    output: expect.stringContaining('letters and digits only'),
  });
  await nothingThere();
  // A download that failed did not use the code.
  expect(await install(home, { EARSHOT_CODE: code })).toMatchObject({ status: 0 });
});

test('a program that is not the announced one is not installed', curl, async () => {
  const home = await makeHome();
  const { code } = await makeCode();
  // The program that is downloaded as the agent has the hash of the launcher.
  const launch = /launch_sha256='(\w+)'/.exec(script)?.[1] ?? '';
  const altered = script.replace('/install/agent/$agent_sha256.mjs', `/install/launch/${launch}.mjs`);
  const { status, output } = await install(home, { EARSHOT_CODE: code }, altered);
  expect(output).toContain('does not have the expected SHA-256. Nothing was installed.');
  expect(status).toBe(1);
  expect(await readdir(join(home, '.local')).catch(() => [])).toEqual([]);
});

test('a script that arrives in part does nothing', curl, async () => {
  const home = await makeHome();
  const { code } = await makeCode();
  for (const part of [0.3, 0.6, 0.95]) {
    await install(home, { EARSHOT_CODE: code }, script.slice(0, Math.floor(script.length * part)));
  }
  expect((await readdir(home)).toSorted()).toEqual(['bin']);
});
