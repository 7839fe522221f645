import type { ChildProcess } from 'node:child_process';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findFreePort } from '@earshot/server/testing/free-port';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { needs } from '@earshot/server/testing/needs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { repository } from './server-process.ts';

/*
 * The installation line in a clean Debian, with the real agent, until the device is online. Needs a Debian mirror; Node is
 * copied into the new system.
 */

const run = promisify(execFile);
let server: TestServer;
let root: string;
let isMounted = false;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'earshot-debian-'));
  await run('mmdebstrap', ['--variant=minbase', '--include=curl,ca-certificates', 'bookworm', root], {
    maxBuffer: 64 * 1024 ** 2,
  });
  await copyFile(process.execPath, join(root, 'usr/bin/node'));
  await run('mount', ['-t', 'proc', 'proc', join(root, 'proc')]);
  isMounted = true;
  await inRoot(['useradd', '--create-home', 'person']);
  const port = await findFreePort();
  const publicOrigin = `http://127.0.0.1:${port}`;
  server = await startTestServer({ port, publicOrigin }, { agentDir: join(repository, 'agent') });
  // The packages are downloaded.
}, 1_800_000);
afterAll(async () => {
  await server?.stop();
  if (isMounted) await run('umount', ['-l', join(root, 'proc')]);
  if (root) await run('rm', ['-rf', '--one-file-system', root]);
});

const inRoot = (command: readonly string[], user = '0:0') =>
  run('chroot', [`--userspec=${user}`, root, ...command], { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } });

async function makeCode(): Promise<{ code: string; deviceID: number; deviceSerial: string }> {
  const deviceSerial = `board-${randomUUID()}`;
  const { key: deviceID = 0 } = await server.admin.session.createDevice({ body: { deviceSerial } });
  const { code = '' } = await server.admin.session.createInstallationCode({ params: { deviceID } });
  return { code, deviceID, deviceSerial };
}

interface Person {
  readonly user: string;
  readonly home: string;
  readonly config: string;
  readonly programs: string;
  readonly command: string;
}
const people: Readonly<Record<'root' | 'an ordinary user', Person>> = {
  root: {
    user: '0:0',
    home: '/root',
    config: '/etc/earshot-agent/agent.json',
    programs: '/opt/earshot-agent',
    command: '/usr/local/bin/earshot-agent',
  },
  'an ordinary user': {
    user: '1000:1000',
    home: '/home/person',
    config: '/home/person/.config/earshot-agent/agent.json',
    programs: '/home/person/.local/share/earshot-agent',
    command: '/home/person/.local/bin/earshot-agent',
  },
};

/** A session of its own, so that there is no terminal. */
function start(
  { user, home }: Person,
  command: string,
  environment: Readonly<Record<string, string>> = {},
): ChildProcess {
  const args = ['-w', 'chroot', `--userspec=${user}`, root, '/bin/sh', '-c', command];
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: home, ...environment };
  return spawn('setsid', args, { env, stdio: ['ignore', 'pipe', 'pipe'], cwd: '/' });
}

/** Runs the line, and collects the arguments of all processes meanwhile. */
async function install(person: Person, code: string, shell = 'sh') {
  const child = start(person, `curl -fsS ${server.url}/install | ${shell}`, { EARSHOT_CODE: code });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += String(chunk)));
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const seen = new Set<string>();
  let status: number | null | undefined;
  while (status === undefined) {
    for (const line of await listArguments()) seen.add(line);
    status = await Promise.race([closed, sleep(5, undefined)]);
  }
  return { status, output, processes: [...seen].join('\n') };
}

async function end(child: ChildProcess): Promise<{ status: number | null; output: string }> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += String(chunk)));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, output };
}

async function listArguments(): Promise<readonly string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
}

describe('in a clean Debian', needs('root', 'mmdebstrap', 'systemd-analyze'), () => {
  test.each(Object.entries(people))('as %s, the line installs an agent that comes online', async (_name, person) => {
    const { code, deviceID, deviceSerial } = await makeCode();
    const { status, output, processes } = await install(person, code);
    expect(output).toContain(`This device is ${deviceSerial}.`);
    expect(status).toBe(0);
    const config = await readFile(join(root, person.config), 'utf8');
    const { secretKey, accessKey } = JSON.parse(config) as Record<string, string>;
    expect(processes).toContain('install');
    for (const secret of [code, secretKey, accessKey]) {
      expect(processes + output + JSON.stringify(server.log.lines)).not.toContain(secret);
    }
    expect((await stat(join(root, person.config))).mode & 0o777).toBe(0o600);

    // The script says how to start it, because the new system has no systemd.
    const command = /^ {2}(.*launch\.mjs.*)$/m.exec(output)?.[1] ?? '';
    const agent = start(person, `exec ${command}`);
    let said = '';
    for (const stream of [agent.stdout, agent.stderr]) stream?.on('data', (chunk: Buffer) => (said += String(chunk)));
    onTestFinished(() => stopGroup(agent));
    await vi.waitFor(
      async () => {
        const { online } = await server.admin.session.getDevice({ params: { deviceID } });
        expect(online, said).toBe(true);
      },
      { timeout: 120_000, interval: 500 },
    );
    const agents = await server.admin.session.listAgents({ body: { deviceID } });
    const [release] = await server.admin.session.listAgentReleases();
    expect(agents.map(({ version }) => version)).toContain(release?.version);

    // A used code, and an upgrade that keeps the configuration.
    const used = await install(person, code);
    expect(used).toMatchObject({ status: 1, output: expect.stringContaining('Make a new code in the console.') });
    expect(await readFile(join(root, person.config), 'utf8')).toBe(config);
    const again = await install(person, '');
    expect(again).toMatchObject({ status: 0, output: expect.not.stringContaining('This device is') });
    expect(await readFile(join(root, person.config), 'utf8')).toBe(config);

    // What it does, and its end.
    const shown = await end(start(person, `${person.command} status`));
    expect(shown).toMatchObject({ status: 0, output: expect.stringContaining(`of ${deviceSerial}`) });
    const ended = end(agent);
    const removed = await end(start(person, `curl -fsS ${server.url}/install | sh -s -- --uninstall`));
    expect(removed, removed.output).toMatchObject({ status: 0 });
    expect(removed.output).toContain('The agent is removed.');
    expect(removed.output).toContain(`The key ${accessKey?.slice(0, 8)}…`);
    await ended;
    for (const path of [person.config, person.programs, person.command])
      await expect(stat(join(root, path))).rejects.toThrow('ENOENT');
    const nothing = await end(start(person, `curl -fsS ${server.url}/install | sh -s -- --status`));
    expect(nothing).toMatchObject({ status: 3, output: expect.stringContaining('No agent is installed') });
  });

  test('an expired and a guessed code install nothing', async () => {
    const person = people['an ordinary user'];
    const folder = join(root, '/home/person/.config');
    await rm(folder, { recursive: true, force: true });
    const { code, deviceID } = await makeCode();
    await server.db`update installation_codes set expiration_date = now() where device_id = ${deviceID}`;
    for (const wrong of [code, '0000-0000-0000']) {
      const { status, output } = await install(person, wrong);
      expect(output).toContain('The code is wrong, has expired, or was used.');
      expect(status).toBe(1);
    }
    expect(await server.admin.session.listDeviceKeys({ params: { deviceID } })).toEqual([]);
  });

  test('the service of root belongs to a user of its own, in a sandbox that systemd accepts', async () => {
    await mkdir(join(root, 'run/systemd/system'), { recursive: true });
    const noting = '#!/bin/sh\necho "$@" >>/tmp/systemctl\n';
    await writeFile(join(root, 'usr/bin/systemctl'), noting, { mode: 0o755 });
    const { code } = await makeCode();
    const { status, output } = await install(people.root, code);
    expect(output).toContain('The agent runs as the service earshot-agent.');
    expect(status).toBe(0);
    expect((await readFile(join(root, 'tmp/systemctl'), 'utf8')).split('\n')).toEqual([
      'daemon-reload',
      'enable --quiet earshot-agent',
      'restart earshot-agent',
      '',
    ]);
    const unit = join(root, 'etc/systemd/system/earshot-agent.service');
    expect(await readFile(unit, 'utf8')).toContain(
      'ExecStart="/usr/bin/node" "/opt/earshot-agent/launch.mjs" "/etc/earshot-agent/agent.json"\n',
    );
    // The agent may switch its version, but not replace the launcher.
    const asService = (command: string) => inRoot(['/bin/su', '-s', '/bin/sh', 'earshot-agent', '-c', command]);
    const { programs } = people.root;
    await asService(`cd ${programs} && ln -s versions/x.mjs next && mv next current && touch trial versions/x.mjs`);
    await expect(asService(`rm -f ${programs}/launch.mjs`)).rejects.toThrow();
    await expect(asService(`echo 1 >${programs}/launch.mjs`)).rejects.toThrow();
    const verify = spawnSync('systemd-analyze', ['verify', '--recursive-errors=no', unit], { encoding: 'utf8' });
    const faults = verify.stderr.split('\n').filter((line) => /Unknown|Failed to parse|Invalid/.test(line));
    expect(faults).toEqual([]);
  });
});

/** It is the leader of its session. `su` passes the signal on to the agent. */
async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  process.kill(-child.pid, 'SIGTERM');
  await closed;
}
