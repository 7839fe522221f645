import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { findFreePort } from '@earshot/server/testing/free-port';
import { onTestFinished } from 'vitest';

export const whatToInstall = 'PgBouncer is missing: run `apt-get install pgbouncer` as root';

const program = '/usr/sbin/pgbouncer';
const isRoot = process.geteuid?.() === 0;
const nobody = { uid: 65_534, gid: 65_534 };

/** Installs it first if permitted. */
export function providePgBouncer(): boolean {
  if (existsSync(program)) return true;
  if (!isRoot || !existsSync('/usr/bin/apt-get')) return false;
  // At run level 1 the package does not start a service.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'pgbouncer'], { env, stdio: 'ignore' });
  return existsSync(program);
}

/** A pooler in transaction mode with few connections to the database, so that transactions change places. */
export async function startPgBouncer(databaseUrl: string): Promise<string> {
  const { hostname, port, pathname, username, password } = new URL(databaseUrl);
  const name = pathname.slice(1);
  const secret = decodeURIComponent(password);
  const folder = await openScratch();
  const own = await findFreePort();
  const settings = [
    '[databases]',
    `${name} = host=${hostname} port=${port} dbname=${name} user=${username} password='${secret.replaceAll("'", "''")}'`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 4',
    'max_client_conn = 200',
  ];
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, `${settings.join('\n')}\n`);
  if (isRoot) await chown(file, nobody.uid, nobody.gid);
  const child = spawn(program, [file], { stdio: ['ignore', 'ignore', 'pipe'], ...(isRoot ? nobody : {}) });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await once(child, 'close');
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('process up')) resolve();
    });
    child.once('close', () => reject(new Error(`PgBouncer ended: ${said}`)));
  });
  return `postgres://${username}:${password}@127.0.0.1:${own}/${name}`;
}
