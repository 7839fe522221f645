import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connect } from '@earshot/server/platform/database/connect';
import { findFreePort } from '@earshot/server/testing/free-port';
import { onTestFinished } from 'vitest';
import { findPostgres } from '../../scripts/parts.mjs';
import type { FaultyNetwork } from '../process/faulty-network.ts';
import { startFaultyNetwork } from '../process/faulty-network.ts';

const run = promisify(execFile);
const isRoot = process.geteuid?.() === 0;
/** PostgreSQL does not run as root; Debian's `nobody` has a name, which initdb requires. */
const runAs = isRoot ? { uid: 65_534, gid: 65_534 } : {};
const callMs = 120_000;
const inSyncMs = 60_000;

/** One PostgreSQL, and the network between it and the nodes. */
interface Side {
  readonly data: string;
  readonly port: number;
  readonly network: FaultyNetwork;
}

/**
 * Two PostgreSQL of which one is the primary and waits for the other with every commit. For tests that say
 * `needs('postgresql')`. Nodes reach them through networks that can fail; replication does not use these.
 */
export interface DatabasePair {
  /** Both addresses, of a database of that name. */
  readonly url: string;
  /** Of the primary, past the networks. */
  directUrl(): string;
  /** The network before the primary. */
  network(): FaultyNetwork;
  /** Stops the primary as an operator does, and promotes the other. */
  switchOver(): Promise<void>;
  /** Ends the primary as a failed host does, and promotes the other, which has everything that was acknowledged. */
  failOver(): Promise<void>;
  /** Makes a standby of the one that is not the primary, and waits until the primary waits for it again. */
  restoreStandby(): Promise<void>;
  /** Ends every process of the primary at once, and starts it again. */
  crash(): Promise<void>;
  /** Stops every process of the primary (SIGSTOP), or continues them. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

export async function startDatabasePair(database: string): Promise<DatabasePair> {
  const binaries = findPostgres() ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'earshot-pair-'));
  if (isRoot) await chown(folder, 65_534, 65_534);
  const password = randomBytes(12).toString('hex');
  const call = (program: string, ...args: string[]) =>
    run(join(binaries, program), args, {
      cwd: folder,
      timeout: callMs,
      env: { ...process.env, PGPASSWORD: password },
      ...runAs,
    });
  const openSide = async (name: string): Promise<Side> => {
    const port = await findFreePort();
    return { data: join(folder, name), port, network: await startFaultyNetwork(port) };
  };
  const sides = [await openSide('one'), await openSide('two')] as const;
  let at = 0;
  const primary = () => sides[at % 2]!;
  const other = () => sides[(at + 1) % 2]!;

  const configure = async ({ data }: Side, line: string) => {
    await appendFile(join(data, 'postgresql.conf'), `${line}\n`);
  };
  const reload = ({ data }: Side) => call('pg_ctl', 'reload', '-D', data);
  const start = async ({ data, port }: Side) => {
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`;
    for (let left = 20; ; left -= 1) {
      try {
        // After a crash the processes of before end one after the other.
        return await call('pg_ctl', 'start', '-w', '-D', data, '-l', `${data}.log`, '-o', options);
      } catch (error) {
        if (left === 0)
          throw new Error(`PostgreSQL does not start: ${await readFile(`${data}.log`, 'utf8')}`, { cause: error });
        await sleep(250);
      }
    }
  };
  const stop = ({ data }: Side, mode: 'fast' | 'immediate') => call('pg_ctl', 'stop', '-w', '-D', data, '-m', mode);
  const waitForStandby = (side: Side, isOn: boolean) =>
    configure(side, `synchronous_standby_names = '${isOn ? '*' : ''}'`);
  const urlOf = ({ port }: Side, name: string) => `postgres://owner:${password}@127.0.0.1:${port}/${name}`;

  const makeStandby = async (side: Side, from: Side) => {
    await rm(side.data, { recursive: true, force: true });
    const source = `host=127.0.0.1 port=${from.port} user=owner password=${password} application_name=pair`;
    await call('pg_basebackup', '-D', side.data, '-d', source, '-R', '-X', 'stream', '-c', 'fast', '--no-sync');
    await start(side);
  };
  const untilInSync = async (side: Side) => {
    const db = connect(urlOf(side, 'postgres'), { connections: 1, name: 'pair' });
    try {
      for (const deadline = Date.now() + inSyncMs; ; await sleep(100)) {
        const rows =
          await db`select 1 from pg_stat_replication where state = 'streaming' and sync_state in ('sync', 'quorum')`;
        if (rows.length > 0) break;
        if (Date.now() > deadline) throw new Error('the standby does not follow');
      }
      // Commits wait for the standby only once the checkpointer has read the setting, which it does before a checkpoint.
      await db`checkpoint`;
    } finally {
      await db.end({ timeout: 1 });
    }
  };
  /** All processes of a PostgreSQL, the postmaster first, so that it starts no others meanwhile. */
  const signal = async ({ data }: Side, name: NodeJS.Signals) => {
    const postmaster = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
    // The file outlives a crash, and the number may belong to another program by then.
    if (!(await readFile(`/proc/${postmaster}/cmdline`, 'utf8')).includes(data)) return;
    process.kill(postmaster, name);
    for (const pid of await findChildren(postmaster)) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended.
      }
    }
  };
  const promote = async () => {
    at += 1;
    await waitForStandby(primary(), false);
    await reload(primary());
    await call('pg_ctl', 'promote', '-w', '-D', primary().data);
  };

  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password, { mode: 0o644 });
  const first = sides[0];
  await call(
    'initdb',
    '-D',
    first.data,
    '-U',
    'owner',
    `--pwfile=${passwordFile}`,
    '-A',
    'scram-sha-256',
    '-E',
    'UTF8',
    '--no-sync',
  );
  await configure(
    first,
    "fsync = off\ndynamic_shared_memory_type = mmap\nwal_keep_size = '512MB'\nmax_connections = 200\nlog_min_messages = warning",
  );
  onTestFinished(async () => {
    for (const side of sides) {
      await signal(side, 'SIGCONT').catch(() => {});
      await stop(side, 'immediate').catch(() => {});
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  await start(first);
  const admin = connect(urlOf(first, 'postgres'), { connections: 1, name: 'pair' });
  await admin.unsafe(`create database ${database}`);
  await admin.end({ timeout: 1 });

  const pair: DatabasePair = {
    url: `postgres://owner:${password}@${sides.map(({ network }) => `127.0.0.1:${network.port}`).join(',')}/${database}`,
    directUrl: () => urlOf(primary(), database),
    network: () => primary().network,
    async switchOver() {
      await stop(primary(), 'fast');
      await promote();
    },
    async failOver() {
      await signal(primary(), 'SIGKILL');
      await promote();
    },
    async restoreStandby() {
      await makeStandby(other(), primary());
      await waitForStandby(primary(), true);
      await reload(primary());
      await untilInSync(primary());
    },
    async crash() {
      await signal(primary(), 'SIGKILL');
      await start(primary());
      await untilInSync(primary());
    },
    freeze: () => signal(primary(), 'SIGSTOP'),
    thaw: () => signal(primary(), 'SIGCONT'),
  };
  await pair.restoreStandby();
  return pair;
}

async function findChildren(parent: number): Promise<number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const parents = await Promise.all(
    names.map(async (name) => {
      const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    }),
  );
  return names.filter((_, index) => parents[index] === parent).map(Number);
}
