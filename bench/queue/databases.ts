import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Pool } from '@earshot/server/platform/database/connect';
import { connect } from '@earshot/server/platform/database/connect';
import { administratorName } from '@earshot/server/platform/database/embedded/cluster';
import type { EmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import { migrate } from '@earshot/server/platform/database/migrate';
import { silentLog } from '@earshot/server/testing/log';

export interface MigratedDatabase {
  readonly url: string;
  readonly db: Pool;
}

/** A database on the same server, with all migrations; new and without data unless an earlier run has kept it. */
export async function createDatabase(
  postgres: EmbeddedPostgres,
  dataDir: string,
  name: string,
): Promise<MigratedDatabase> {
  const { username, password, host } = postgres.connection;
  const secret = (await readFile(join(dataDir, 'postgres', 'password'), 'utf8')).trim();
  const administrator = connect(
    { ...postgres.connection, database: 'postgres', username: administratorName, password: secret },
    { connections: 1, name: 'bench' },
  );
  const kept = await administrator`select 1 from pg_database where datname = ${name}`;
  if (kept.length === 0) await administrator.unsafe(`create database ${name} owner ${username}`);
  await administrator.end();
  const url = `postgres://${username}:${password}@localhost/${name}?host=${encodeURIComponent(host)}`;
  const db = connect(url, { connections: 1, name: 'bench' });
  await migrate(db, fileURLToPath(new URL('../../server/migrations', import.meta.url)), silentLog);
  return { url, db };
}
