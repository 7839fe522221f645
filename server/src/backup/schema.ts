import { join } from 'node:path';
import type { Config } from '../config.ts';
import { isCluster } from '../platform/database/embedded/paths.ts';
import { readMigrations } from '../platform/database/migrate.ts';
import type { Log } from '../platform/log.ts';
import { openDatabase } from './database.ts';

/** How the schema of a database compares with the one of this version. `earshot doctor` reads it. */
export interface SchemaReport {
  /** The number of the newest migration of the database; 0 if it has none. */
  readonly database: number;
  /** The number of the newest migration of this version. */
  readonly program: number;
  /** The first migration that is not the same in both; null if there is none. */
  readonly different: string | null;
}

/** Undefined if there is no embedded database yet. */
export async function compareSchema(
  config: Config,
  migrationsDir: string,
  log: Log,
): Promise<SchemaReport | undefined> {
  const isThere = config.databaseUrl !== undefined || (await isCluster(join(config.dataDir, 'postgres', 'cluster')));
  if (!isThere) return undefined;
  const known = await readMigrations(migrationsDir);
  const database = await openDatabase(config, log);
  try {
    const client = await database.connect();
    const { rows: tables } = await client.query(`select 1 where to_regclass('schema_migrations') is not null`);
    if (tables.length === 0) return { database: 0, program: known.length, different: null };
    const { rows } = await client.query<{ number: number; name: string; sha256: string }>(
      'select number, name, sha256 from schema_migrations order by number',
    );
    const different = rows.find(({ number, sha256 }) => (known[number - 1]?.sha256 ?? sha256) !== sha256);
    return { database: rows.at(-1)?.number ?? 0, program: known.length, different: different?.name ?? null };
  } finally {
    await database.close();
  }
}
