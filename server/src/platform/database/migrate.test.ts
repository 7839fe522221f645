import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../testing/database.ts';
import { recordingLog, silentLog } from '../../testing/log.ts';
import type { Pool } from './connect.ts';
import { connect, inTransaction } from './connect.ts';
import type { MigrateOptions, Upgrade } from './migrate.ts';
import { migrate, migrationLock, readMigrations } from './migrate.ts';

const migrationsDir = fileURLToPath(new URL('../../../migrations', import.meta.url));

function openPool(url: string): Pool {
  const db = connect(url, { connections: 1, name: 'earshot test' });
  onTestFinished(() => db.end({ timeout: 1 }));
  return db;
}

async function createEmptyDatabase(): Promise<string> {
  const database = await createTestDatabase({ isEmpty: true });
  onTestFinished(() => database.drop());
  return database.url;
}

async function makeFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql);
  return folder;
}

const applied = async (db: Pool) =>
  (await db<{ name: string }[]>`select name from schema_migrations order by number`).map(({ name }) => name);

const one = { '0001_one.sql': 'create table one (a int)' };
const two = { ...one, '0002_two.sql': 'create table two (a int); insert into one values (1)' };

describe('the migrations of this version', () => {
  test('are numbered without a gap', async () => {
    const names = (await readdir(migrationsDir)).toSorted();
    expect((await readMigrations(migrationsDir)).map(({ name }) => name)).toEqual(names);
  });

  test('can be applied again', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const db = openPool(database.url);
    const before = await db`select * from schema_migrations`;
    const log = recordingLog();
    await migrate(db, migrationsDir, log);
    expect(await db`select * from schema_migrations`).toEqual(before);
    expect(log.lines).toEqual([]);
  });

  test('are only read if all are applied: a start waits for no other node', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const db = openPool(database.url);
    await db`set lock_timeout = '5s'`;
    await inTransaction(openPool(database.url), async (other) => {
      await other`select pg_advisory_xact_lock(${migrationLock})`;
      await migrate(db, migrationsDir, silentLog);
    });
  });

  test('are applied once if many nodes start at the same time', async () => {
    const url = await createEmptyDatabase();
    const log = recordingLog();
    await Promise.all(Array.from({ length: 8 }, () => migrate(openPool(url), migrationsDir, log)));
    const names = (await readMigrations(migrationsDir)).map(({ name }) => name);
    expect(log.lines.map(({ fields }) => (fields as { migration: string }).migration)).toEqual(names);
    expect(await applied(openPool(url))).toEqual(names);
  });

  test('must not be changed after they were applied', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const folder = await makeFolder({});
    await cp(migrationsDir, folder, { recursive: true });
    const [first] = await readMigrations(folder);
    await writeFile(join(folder, first?.name ?? ''), `${first?.sql}\n-- a later thought`);
    await expect(migrate(openPool(database.url), folder, silentLog)).rejects.toThrow(
      `the migration ${first?.name} was changed after this database applied it; add a new one instead`,
    );
  });
});

describe('migrations', () => {
  test('are applied in order, and later ones are added', async () => {
    const db = openPool(await createEmptyDatabase());
    await migrate(db, await makeFolder(one), silentLog);
    await migrate(db, await makeFolder({ ...two, 'README.md': 'not one of them' }), silentLog);
    expect(await applied(db)).toEqual(['0001_one.sql', '0002_two.sql']);
    expect(await db`select a from one`).toEqual([{ a: 1 }]);
  });

  test('of a new database are not saved by another node that starts before they are all applied', async () => {
    const url = await createEmptyDatabase();
    const folder = await makeFolder({ ...one, '0002_slow.sql': 'select pg_sleep(1)', '0003_last.sql': 'select 1' });
    const saved: string[] = [];
    const beforeUpgrade = async ({ first }: Upgrade) => void saved.push(first);
    const start = (connections: number, options: MigrateOptions) => {
      const db = connect(url, { connections, name: 'earshot test' });
      onTestFinished(() => db.end({ timeout: 1 }));
      return migrate(db, folder, silentLog, options);
    };
    const watch = openPool(url);
    const isBegun = () => watch`select 1 from schema_migrations`.catch(() => []);
    const first = start(2, { beforeUpgrade });
    await expect.poll(isBegun).toHaveLength(1);
    await Promise.all([first, start(2, { beforeUpgrade }), start(1, {})]);
    expect(saved).toEqual([]);
    expect(await applied(watch)).toEqual(['0001_one.sql', '0002_slow.sql', '0003_last.sql']);
  });

  test('of a newer version prevent an older one from starting', async () => {
    const db = openPool(await createEmptyDatabase());
    await migrate(db, await makeFolder(two), silentLog);
    await expect(migrate(db, await makeFolder(one), silentLog)).rejects.toThrow('used by a newer Earshot');
  });

  test.each([
    [['0002_two.sql'], '0002_two.sql must have the number 1'],
    [['0001_one.sql', '0003_three.sql'], '0003_three.sql must have the number 2'],
    [['0001_one.sql', '0001_other.sql'], '0001_other.sql must have the number 2'],
    [['1_one.sql'], '1_one.sql must have the number 1'],
    [['0001-one.sql'], '0001-one.sql must have the number 1'],
    [['0001_One.sql'], '0001_One.sql must have the number 1'],
  ])('with the names %j are refused before any is applied', async (names, message) => {
    const db = openPool(await createEmptyDatabase());
    const folder = await makeFolder(Object.fromEntries(names.map((name) => [name, 'create table x (a int)'])));
    await expect(migrate(db, folder, silentLog)).rejects.toThrow(message);
    expect(await db`select 1 from pg_tables where schemaname = 'public'`).toEqual([]);
  });

  test('that fail are rolled back, and can be corrected', async () => {
    const db = openPool(await createEmptyDatabase());
    const broken = { ...one, '0002_two.sql': 'create table two (a int); select nonsense' };
    await expect(migrate(db, await makeFolder(broken), silentLog)).rejects.toThrow('nonsense');
    expect(await applied(db)).toEqual(['0001_one.sql']);
    await migrate(db, await makeFolder(two), silentLog);
    expect(await applied(db)).toEqual(['0001_one.sql', '0002_two.sql']);
  });
});
