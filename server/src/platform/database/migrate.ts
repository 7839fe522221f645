import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../log.ts';
import type { Db, Pool } from './connect.ts';
import { inTransaction } from './connect.ts';
import { splitStatements } from './sql-statements.ts';

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

/** The names of the migrations that a database with records is about to get. */
export interface Upgrade {
  readonly first: string;
  readonly last: string;
}

export interface MigrateOptions {
  /**
   * Called before the first pending migration of a database that has others. All nodes wait for it, and if it throws, no
   * migration is applied. With it, the pool needs two connections.
   */
  readonly beforeUpgrade?: ((upgrade: Upgrade) => Promise<void>) | undefined;
}

/** Arbitrary constants that all nodes of a database share. */
export const migrationLock = 0x65_61_72_73;
const upgradeLock = 0x65_61_72_74;
const oldestServerVersion = 150_000;

/**
 * Applies pending migrations and returns the number of the newest. If several nodes start at once, one applies them and
 * the others wait.
 */
export async function migrate(
  db: Pool,
  folder: string,
  log: Log,
  { beforeUpgrade }: MigrateOptions = {},
): Promise<number> {
  await requireServerVersion(db);
  const migrations = await readMigrations(folder);
  // Most starts find all of them applied: one query instead of a transaction for each.
  const pending = findPending(migrations, await readApplied(db));
  if (pending.length > 0 && beforeUpgrade) await upgrade(db, migrations, log, beforeUpgrade);
  else for (const migration of pending) await inTransaction(db, (tx) => applyAlone(tx, migration, log));
  await refuseNewerSchema(db, migrations);
  return migrations.length;
}

/**
 * A lock of its own is held throughout, because each migration has its own transaction. It is held for a new database too:
 * another node that starts meanwhile would save the half of it, and both would wait for each other.
 */
async function upgrade(
  db: Pool,
  migrations: readonly Migration[],
  log: Log,
  beforeUpgrade: (upgrade: Upgrade) => Promise<void>,
): Promise<void> {
  await db.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`set local lock_timeout = 0`;
    await tx`set local idle_in_transaction_session_timeout = 0`;
    const [lock] = await tx<{ isHeld: boolean }[]>`select pg_try_advisory_xact_lock(${upgradeLock}) as "isHeld"`;
    if (lock?.isHeld !== true) {
      log.info({}, 'waiting for the node that upgrades the database');
      await tx`select pg_advisory_xact_lock(${upgradeLock})`;
    }
    const applied = await readApplied(tx);
    const pending = findPending(migrations, applied);
    const [first, last] = [pending.at(0), pending.at(-1)];
    if (!first || !last) return;
    const isNew = applied.size === 0;
    if (!isNew) await beforeUpgrade({ first: first.name, last: last.name });
    for (const migration of pending) {
      if (!isNew) log.info({ migration: migration.name }, 'migrating');
      await inTransaction(db, (own) => applyOnce(own, migration, log));
    }
  });
}

/** Throws if an applied migration has been changed. */
function findPending(migrations: readonly Migration[], applied: ReadonlyMap<number, string>): readonly Migration[] {
  return migrations.filter((migration) => {
    const sha256 = applied.get(migration.number);
    if (sha256 !== undefined) requireUnchanged(sha256, migration);
    return sha256 === undefined;
  });
}

async function requireServerVersion(db: Pool): Promise<void> {
  const [row] = await db<{ number: number; text: string }[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as text`;
  if (!row || row.number < oldestServerVersion) {
    throw new Error(`PostgreSQL 15 or newer is needed; the database is ${row?.text ?? 'unknown'}`);
  }
}

export async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (name, index) => {
      const number = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]);
      if (number !== index + 1)
        throw new Error(
          `the migration ${name} must have the number ${index + 1}: migrations are numbered without gaps`,
        );
      const sql = await readFile(join(folder, name), 'utf8');
      return { number, name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** The hash of each applied migration, by its number. */
async function readApplied(db: Db): Promise<ReadonlyMap<number, string>> {
  const [table] = await db<{ exists: boolean }[]>`select to_regclass('schema_migrations') is not null as exists`;
  if (!table?.exists) return new Map();
  const rows = await db<{ number: number; sha256: string }[]>`select number, sha256 from schema_migrations`;
  return new Map(rows.map(({ number, sha256 }) => [number, sha256]));
}

/** Waits for a node that saves or upgrades the database. */
async function applyAlone(tx: Db, migration: Migration, log: Log): Promise<void> {
  await tx`set local statement_timeout = 0`;
  await tx`set local lock_timeout = 0`;
  await tx`select pg_advisory_xact_lock(${upgradeLock})`;
  await applyOnce(tx, migration, log);
}

async function applyOnce(tx: Db, migration: Migration, log: Log): Promise<void> {
  // Comes first, because waiting for the migration of another node may take as long as running one.
  await tx`set local statement_timeout = 0`;
  await tx`set local lock_timeout = 0`;
  await tx`select pg_advisory_xact_lock(${migrationLock})`;
  await tx`
    create table if not exists schema_migrations (
      number integer primary key,
      name text not null,
      sha256 text not null,
      applied_date timestamptz not null default now()
    )`;
  const [applied] = await tx<{ sha256: string }[]>`
    select sha256 from schema_migrations where number = ${migration.number}`;
  if (applied) return requireUnchanged(applied.sha256, migration);
  for (const statement of splitStatements(migration.sql)) await tx.unsafe(statement);
  await tx`
    insert into schema_migrations (number, name, sha256)
    values (${migration.number}, ${migration.name}, ${migration.sha256})`;
  log.info({ migration: migration.name }, 'migrated');
}

function requireUnchanged(sha256: string, migration: Migration): void {
  if (sha256 === migration.sha256) return;
  throw new Error(`the migration ${migration.name} was changed after this database applied it; add a new one instead`);
}

async function refuseNewerSchema(db: Pool, migrations: readonly Migration[]): Promise<void> {
  const [newest] = await db<{ number: number }[]>`select max(number) as number from schema_migrations`;
  if ((newest?.number ?? 0) > migrations.length) {
    throw new Error('this database was used by a newer Earshot; start that version or a later one');
  }
}
