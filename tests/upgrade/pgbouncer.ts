import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { findFreePort } from '@earshot/server/testing/free-port';
import { onTestFinished } from 'vitest';
import { findProgram } from '../../scripts/parts.mjs';

const isRoot = process.geteuid?.() === 0;
const nobody = { uid: 65_534, gid: 65_534 };

/** For tests that say `needs('pgbouncer')`: a pooler in transaction mode with few connections to the database, so that transactions change places. */
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
  const child = spawn(findProgram('pgbouncer') ?? '', [file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(isRoot ? nobody : {}),
  });
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
