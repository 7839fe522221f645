import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '@earshot/server/testing/free-port';

const run = promisify(execFile);
const debianFolder = '/usr/lib/postgresql';
const oldestVersion = 15;
const isRoot = process.geteuid?.() === 0;
/** PostgreSQL does not run as root; Debian's `nobody` has a name, which initdb requires. */
const runAs = isRoot ? { uid: 65_534, gid: 65_534 } : {};

export const whatToInstall = 'a PostgreSQL server is missing: run `apt-get install postgresql` as root';

export interface ExternalPostgres {
  /** The URL of a database of that name, as its superuser. */
  url(database: string): string;
  start(): Promise<void>;
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/** The folder of the PostgreSQL programs, installed first if permitted; undefined if there are none. */
export function provideBinaries(): string | undefined {
  return findBinaries() ?? (isRoot && existsSync('/usr/bin/apt-get') && install() ? findBinaries() : undefined);
}

function findBinaries(): string | undefined {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder).map(Number) : [];
  const newestFirst = versions.filter((version) => version >= oldestVersion).toSorted((one, other) => other - one);
  const configured = spawnSync('pg_config', ['--bindir']).stdout?.toString().trim() ?? '';
  const candidates = [...newestFirst.map((version) => join(debianFolder, String(version), 'bin')), configured];
  return candidates.find((folder) => folder !== '' && existsSync(join(folder, 'initdb')));
}

function install(): boolean {
  // At run level 1 the package does not start a server.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const apt = (...args: string[]) => spawnSync('apt-get', args, { env, stdio: 'ignore' }).status === 0;
  return apt('update') && apt('install', '-y', '--no-install-recommends', 'postgresql');
}

/** A temporary server with the PostgreSQL of this machine, with TCP and a password. */
export async function startExternalPostgres(binaries: string): Promise<ExternalPostgres> {
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
  const server: ExternalPostgres = {
    url: (database) => `postgres://owner:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`,
    start: async () => void (await call('pg_ctl', 'start', '-w', '-D', data, '-l', log, '-o', options)),
    stop: async () => void (await call('pg_ctl', 'stop', '-w', '-D', data, '-m', 'fast')),
    async remove() {
      await server.stop().catch(() => {});
      await rm(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}
