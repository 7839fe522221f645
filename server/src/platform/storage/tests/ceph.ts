import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { findFreePort } from '../../../testing/free-port.js';

const run = promisify(execFile);

export interface Ceph {
  readonly endpoint: string;
  addUser(name: string, accessKey: string, secretKey: string): Promise<void>;
  readonly stop: () => Promise<void>;
}

/** The smallest cluster: a monitor, a store in memory, and the S3 gateway. No data is kept. */
export async function startCeph(): Promise<Ceph> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-ceph-'));
  const daemons: ChildProcess[] = [];
  const stop = async () => {
    await Promise.all(daemons.map(end));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const [monitorPort, gatewayPort] = [await findFreePort(), await findFreePort()];
    const cluster = randomUUID();
    const conf = join(folder, 'ceph.conf');
    await writeFile(conf, settings(folder, cluster, monitorPort, gatewayPort));
    await Promise.all(['mon', 'osd'].map((name) => mkdir(join(folder, name))));
    const call = (program: string, ...args: string[]) => run(program, ['--conf', conf, ...args], { timeout: 60_000 });
    const launch = async (program: string, ...args: string[]) => {
      daemons.push(await spawnDaemon(join(folder, `${program}.log`), program, ['--conf', conf, ...args, '-f']));
    };

    const map = join(folder, 'monmap');
    await run('monmaptool', ['--create', '--fsid', cluster, '--addv', 'a', `[v2:127.0.0.1:${monitorPort}]`, map]);
    await call('ceph-mon', '-i', 'a', '--mkfs', '--monmap', map);
    await launch('ceph-mon', '-i', 'a');
    const store = randomUUID();
    await call('ceph', '--connect-timeout', '50', 'osd', 'new', store);
    await call('ceph-osd', '--no-mon-config', '-i', '0', '--mkfs', '--osd-uuid', store);
    await launch('ceph-osd', '--no-mon-config', '-i', '0');
    // Creates the pools, because the gateway would not wait long enough for them.
    await call('radosgw-admin', '--no-mon-config', 'user', 'list');
    await launch('radosgw', '--no-mon-config', '-n', 'client.gateway');
    const endpoint = `http://127.0.0.1:${gatewayPort}`;
    await untilAnswered(endpoint, daemons);
    return {
      endpoint,
      async addUser(name, accessKey, secretKey) {
        const keys = [`--access-key=${accessKey}`, `--secret=${secretKey}`];
        await call('radosgw-admin', '--no-mon-config', 'user', 'create', `--uid=${name}`, '--display-name=-', ...keys);
      },
      stop,
    };
  } catch (error) {
    const logs = await readLogs(folder);
    await stop();
    throw new Error(`Ceph did not start: ${(error as Error).message}\n${logs}`, { cause: error });
  }
}

/** Without cephx and its keys, which are not needed here; one placement group and one copy of everything. */
const settings = (folder: string, cluster: string, monitorPort: number, gatewayPort: number): string => `[global]
fsid = ${cluster}
mon host = v2:127.0.0.1:${monitorPort}
public addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
ms mon cluster mode = crc
ms mon service mode = crc
ms mon client mode = crc
ms cluster mode = crc
ms service mode = crc
ms client mode = crc
mon data = ${join(folder, 'mon')}
mon allow pool size one = true
paxos propose interval = 0.05
osd data = ${join(folder, 'osd')}
osd objectstore = memstore
memstore device bytes = 8589934592
osd crush chooseleaf type = 0
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
run dir = ${folder}
crash dir = ${folder}
admin socket =
log to file = false
log to stderr = true
rgw frontends = beast endpoint=127.0.0.1:${gatewayPort}
`;

async function spawnDaemon(log: string, program: string, args: readonly string[]): Promise<ChildProcess> {
  const output = await open(log, 'w');
  try {
    // The kernel ends it too if this process is killed.
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', program, ...args], {
      stdio: ['ignore', output.fd, output.fd],
    });
    await once(child, 'spawn');
    return child;
  } finally {
    await output.close();
  }
}

/** SIGKILL, because the store would otherwise write its memory to the disk first. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function untilAnswered(endpoint: string, daemons: readonly ChildProcess[]): Promise<void> {
  for (const deadline = Date.now() + 50_000; ; await sleep(50)) {
    const answer = await fetch(endpoint).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok === true) return;
    if (daemons.some(({ exitCode }) => exitCode !== null)) throw new Error('one of its programs exited');
    if (Date.now() > deadline) throw new Error('its gateway does not answer');
  }
}

async function readLogs(folder: string): Promise<string> {
  const logs = ['ceph-mon', 'ceph-osd', 'radosgw'].map((program) =>
    readFile(join(folder, `${program}.log`), 'utf8').then(
      (text) => `${program}: ${text.slice(-1000)}`,
      () => '',
    ),
  );
  return (await Promise.all(logs)).join('\n');
}
