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
  remove(): Promise<void>;
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
