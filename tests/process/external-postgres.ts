import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '@earshot/server/testing/free-port';
import { findPostgres } from '../../scripts/parts.mjs';

const run = promisify(execFile);
const isRoot = process.geteuid?.() === 0;
/** PostgreSQL does not run as root; Debian's `nobody` has a name, which initdb requires. */
const runAs = isRoot ? { uid: 65_534, gid: 65_534 } : {};

export interface ExternalPostgres {
  /** The URL of a database of that name, as its superuser. */
  url(database: string): string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Copies the stopped server, and starts it again. */
  keepCopy(): Promise<void>;
  /** Starts the copy in place of the server. */
  startCopy(): Promise<void>;
  /** A standby that follows this server, in the same folder. */
  addStandby(): Promise<Standby>;
  remove(): Promise<void>;
}

export interface Standby {
  url(database: string): string;
  /** It gets nothing more from the primary. */
  cutOff(): Promise<void>;
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A temporary server with the PostgreSQL of this machine, with TCP and a password. For tests that say
 * `needs('postgresql')`.
 */
export async function startExternalPostgres(): Promise<ExternalPostgres> {
  const binaries = findPostgres() ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'earshot-external-'));
  if (isRoot) await chown(folder, 65_534, 65_534);
  const [data, passwordFile, log] = ['data', 'password', 'log'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const password = 'p:ss/w@rd of the tests';
  await writeFile(passwordFile, password, { mode: 0o644 });
  const call = (program: string, ...args: string[]) => run(join(binaries, program), args, { cwd: folder, ...runAs });

  await call(
    'initdb',
    '-D',
    data,
    '-U',
    'owner',
    `--pwfile=${passwordFile}`,
    '-A',
    'scram-sha-256',
    '-E',
    'UTF8',
    '--no-sync',
  );
  const port = await findFreePort();
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off`;
  const copy = join(folder, 'copy');
  const urlOn = (at: number) => (database: string) =>
    `postgres://owner:${encodeURIComponent(password)}@127.0.0.1:${at}/${database}`;
  const undo: (() => Promise<unknown>)[] = [];
  const server: ExternalPostgres = {
    url: urlOn(port),
    start: async () => void (await call('pg_ctl', 'start', '-w', '-D', data, '-l', log, '-o', options)),
    stop: async () => void (await call('pg_ctl', 'stop', '-w', '-D', data, '-m', 'fast')),
    async keepCopy() {
      await server.stop();
      await run('cp', ['-a', data, copy]);
      await server.start();
    },
    async startCopy() {
      await server.stop();
      await run('mv', [data, join(folder, 'gone')]);
      await run('mv', [copy, data]);
      await server.start();
    },
    async addStandby() {
      const own = join(folder, 'standby');
      const at = await findFreePort();
      const control = (command: string, ...more: string[]) => call('pg_ctl', command, '-w', '-D', own, ...more);
      await call('pg_basebackup', '-D', own, '-R', '-X', 'stream', '-c', 'fast', '-d', server.url('postgres'));
      await control('start', '-l', join(folder, 'standby-log'), '-o', options.replace(`${port}`, `${at}`));
      const stop = async () => void (await control('stop', '-m', 'fast'));
      undo.push(stop);
      return {
        url: urlOn(at),
        async cutOff() {
          await call('psql', '-d', urlOn(at)('postgres'), '-c', "alter system set primary_conninfo = ''");
          await control('reload');
          await call('psql', '-d', urlOn(at)('postgres'), '-c', 'select pg_sleep(1)');
        },
        promote: async () => void (await control('promote')),
        stop,
      };
    },
    async remove() {
      for (const step of undo) await step().catch(() => {});
      await server.stop().catch(() => {});
      await rm(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}
