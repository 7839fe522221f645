import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@earshot/server/testing/free-port';
import { onTestFinished } from 'vitest';
import { findPostgres, findProgram } from '../../scripts/parts.mjs';
import { readBlock } from './recipe.ts';

const nobody = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const patienceMs = 120_000;

interface Member {
  readonly name: string;
  readonly data: string;
  readonly port: number;
  readonly restPort: number;
  patroni: ChildProcess;
}

/** For tests that say `needs('postgresql', 'patroni')`: two PostgreSQL under Patroni, etcd, and HAProxy before them. */
export interface PatroniCluster {
  /** By HAProxy, and by the addresses of both. */
  readonly proxyUrl: string;
  readonly severalUrl: string;
  /** Of a member, past everything. */
  urlOf(name: string): string;
  /** The member that is the leader by its own account and accepts writes. */
  leader(): Promise<string>;
  other(name: string): string;
  switchOver(): Promise<void>;
  /** SIGKILL, SIGSTOP or SIGCONT to PostgreSQL of a member, and to its Patroni unless it is left out. */
  signal(name: string, signal: NodeJS.Signals, which?: 'postgres' | 'all'): Promise<void>;
  restart(name: string): Promise<void>;
  untilInSync(): Promise<void>;
}

/** With the configurations of docs/high-availability.md, on one machine with different ports. */
export async function startPatroniCluster(changes: Readonly<Record<string, string>> = {}): Promise<PatroniCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-patroni-'));
  if (nobody.uid !== undefined) await chown(folder, nobody.uid, nobody.gid);
  const password = randomBytes(12).toString('hex');
  const [etcdPort, peerPort, proxyPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const children = new Set<ChildProcess>();
  const launch = async (name: string, program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const log = await open(join(folder, `${name}.log`), 'a');
    const child = spawn(findProgram(program) ?? program, args, {
      cwd: folder,
      stdio: ['ignore', log.fd, log.fd],
      env: { PATH: process.env['PATH'], HOME: folder, LC_ALL: 'C.UTF-8', ...env },
      ...nobody,
    });
    await once(child, 'spawn');
    await log.close();
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  };
  const members: Member[] = [];
  const postgresOf = async ({ data }: Member): Promise<number[]> => {
    const file = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
    const postmaster = Number(file.split('\n')[0]);
    const command = await readFile(`/proc/${postmaster}/cmdline`, 'utf8').catch(() => '');
    if (!command.includes(data)) return [];
    return [postmaster, ...(await findChildren(postmaster))];
  };
  const send = (pids: readonly number[], signal: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended.
      }
    }
  };
  onTestFinished(async () => {
    for (const member of members) {
      send(await postgresOf(member), 'SIGKILL');
      member.patroni.kill('SIGKILL');
    }
    for (const child of children) child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  await launch('etcd', 'etcd', [
    '--data-dir',
    join(folder, 'etcd'),
    '--listen-client-urls',
    `http://127.0.0.1:${etcdPort}`,
    '--advertise-client-urls',
    `http://127.0.0.1:${etcdPort}`,
    '--listen-peer-urls',
    `http://127.0.0.1:${peerPort}`,
    '--initial-advertise-peer-urls',
    `http://127.0.0.1:${peerPort}`,
    '--initial-cluster',
    `default=http://127.0.0.1:${peerPort}`,
    '--unsafe-no-fsync',
    '--enable-v2',
  ]);
  const recipe = await readBlock('patroni.yml');
  const startPatroni = (name: string) => launch(`patroni-${name}`, 'patroni', [join(folder, `${name}.yml`)]);
  for (const name of ['one', 'two']) {
    const [port, restPort] = [await findFreePort(), await findFreePort()];
    const data = join(folder, name);
    const text = Object.entries({
      'name: db1': `name: ${name}`,
      '10.0.0.11:8008': `127.0.0.1:${restPort}`,
      '10.0.0.11:5432': `127.0.0.1:${port}`,
      '10.0.0.11:2379,10.0.0.12:2379,10.0.0.13:2379': `127.0.0.1:${etcdPort}`,
      '/var/lib/postgresql/15/main': data,
      '/usr/lib/postgresql/15/bin': findPostgres() ?? '',
      '/var/run/postgresql': folder,
      '10.0.0.0/24': '127.0.0.1/32',
      'A-LONG-PASSWORD': password,
      ...changes,
    }).reduce((rest, [from, to]) => {
      if (!rest.includes(from)) throw new Error(`the recipe has no ${from}`);
      return rest.replaceAll(from, to);
    }, recipe);
    await writeFile(join(folder, `${name}.yml`), text, { mode: 0o644 });
    members.push({ name, data, port, restPort, patroni: await startPatroni(name) });
    // The second one copies the first.
    if (name === 'one') await untilTrue('the first member leads', () => isLeader(members[0]!));
  }
  const find = (name: string) => members.find((each) => each.name === name)!;
  const haproxy = (await readBlock('haproxy.cfg'))
    .replace('bind :5000', `bind 127.0.0.1:${proxyPort}`)
    .replaceAll(/^ *server db3.*$\n?/gm, '')
    .replace(
      /server db1 \S+ check port 8008/,
      `server one 127.0.0.1:${members[0]?.port} check port ${members[0]?.restPort}`,
    )
    .replace(
      /server db2 \S+ check port 8008/,
      `server two 127.0.0.1:${members[1]?.port} check port ${members[1]?.restPort}`,
    );
  await writeFile(join(folder, 'haproxy.cfg'), haproxy, { mode: 0o644 });
  await launch('haproxy', 'haproxy', ['-f', join(folder, 'haproxy.cfg'), '-db']);
  const login = `postgres:${password}`;
  const urlOf = (name: string) => `postgres://${login}@127.0.0.1:${find(name).port}/postgres`;

  const cluster: PatroniCluster = {
    proxyUrl: `postgres://${login}@127.0.0.1:${proxyPort}/postgres`,
    severalUrl: `postgres://${login}@${members.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`,
    urlOf,
    async leader() {
      let found: string | undefined;
      await untilTrue('a member leads', async () => {
        for (const member of members) if (await isLeader(member)) found = member.name;
        return found !== undefined;
      });
      return found ?? '';
    },
    other: (name) => members.find((each) => each.name !== name)?.name ?? '',
    async switchOver() {
      const from = await cluster.leader();
      await untilTrue('the switchover is accepted', async () => {
        const body = JSON.stringify({ leader: from, candidate: cluster.other(from) });
        const authorization = `Basic ${btoa(`patroni:${password}`)}`;
        const init = { method: 'POST', body, headers: { authorization } };
        const response = await fetch(`http://127.0.0.1:${find(from).restPort}/switchover`, init);
        await response.text();
        return response.ok;
      });
    },
    async signal(name, signal, which = 'all') {
      const member = find(name);
      if (which === 'all') member.patroni.kill(signal);
      send(await postgresOf(member), signal);
    },
    async restart(name) {
      find(name).patroni = await startPatroni(name);
    },
    untilInSync: () =>
      untilTrue('the standby is synchronous', async () => {
        // Patroni promotes only whom its own record names, which it writes some seconds after PostgreSQL says `sync`.
        const answers = await Promise.all(members.map(({ restPort }) => ask(restPort, '/synchronous')));
        return answers.filter((each) => each?.['isOk'] === true).length === 1;
      }),
  };
  await cluster.untilInSync();
  return cluster;
}

async function ask(port: number, path: string): Promise<Record<string, unknown> | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(1_000) });
    return { ...((await response.json()) as object), isOk: response.ok };
  } catch {
    return undefined;
  }
}

const isLeader = async ({ restPort }: Member): Promise<boolean> => (await ask(restPort, '/primary'))?.['isOk'] === true;

async function untilTrue(what: string, check: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + patienceMs; !(await check()); await sleep(100)) {
    if (Date.now() > deadline) throw new Error(`after ${patienceMs / 1_000} s it is not true that ${what}`);
  }
}

async function findChildren(parent: number): Promise<number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(names.map((name) => readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')));
  return names
    .filter((_, at) => Number(stats[at]?.slice(stats[at].lastIndexOf(')') + 2).split(' ')[1]) === parent)
    .map(Number);
}
