import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { saveBeforeUpgrade } from '@earshot/server/backup/before-upgrade';
import { openForRestore, listBackups } from '@earshot/server/backup/target';
import { openPlace } from '@earshot/server/backup/place';
import { restoreBackup } from '@earshot/server/backup/restore-backup';
import { compareSchema } from '@earshot/server/backup/schema';
import { verifyInstallation } from '@earshot/server/backup/verify';
import { makeFolder, passingTables, readRows } from '@earshot/server/backup/tests/installations';
import type { Config } from '@earshot/server/config';
import { sha256, tinyWav } from '@earshot/server/features/file/tests/sound';
import { startNode } from '@earshot/server/node';
import type { Db } from '@earshot/server/platform/database/connect';
import { connect } from '@earshot/server/platform/database/connect';
import { startEmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { migrate, readMigrations } from '@earshot/server/platform/database/migrate';
import { openStorage } from '@earshot/server/platform/storage/storage';
import { createTestDatabase } from '@earshot/server/testing/database';
import { recordingLog, silentLog } from '@earshot/server/testing/log';
import { baseConfig, testNodeOptions } from '@earshot/server/testing/server';
import { needs } from '@earshot/server/testing/needs';
import { expect, onTestFinished, test } from 'vitest';
import { launchServer, startServer, stopServer } from '../process/server-process.ts';
import { onSmallDisk } from '../process/small-disk.ts';
import { apply, migrationsDir, openEmptyDatabase } from './former-schema.ts';

const needed = needs('root', 'mounts');

/* Decision 0031: a database with records is saved before a new version changes it. */

const migrations = await readMigrations(migrationsDir);
/** The version before had all migrations but the last two. */
const former = migrations.slice(0, -2);
const firstNew = migrations.at(-2)?.name.slice(0, 4) ?? '';
const passwordCost = { memoryCost: 64, timeCost: 1, parallelism: 1 };

/** A person with a device, a clip and its sound. */
async function addRecords(db: Db, config: Config): Promise<void> {
  const sound = tinyWav(0.2);
  const name = randomUUID();
  const storage = openStorage({ ...config.storage, dataDir: config.dataDir });
  await storage.check();
  async function* bytes() {
    yield sound;
  }
  await storage.append(name, { offset: 0, size: sound.length, source: bytes() });
  await storage.finish(name, sound.length);
  const [person] = await db<{ key: number }[]>`
    insert into users (email, role, password_hash, postback_secret)
    values ('a@example.org', 'member', 'x', '\\x01') returning key`;
  const [device] = await db<{ key: number }[]>`
    insert into devices (user_id, device_serial, device_name)
    values (${person?.key ?? 0}, 'r-1', ${'tab\there, \\ and ✓'}) returning key`;
  const [file] = await db<{ key: number }[]>`
    insert into files (user_id, device_id, filename, content_type, file_size, sha256_hash, storage_name, file_status)
    values (${person?.key ?? 0}, ${device?.key ?? 0}, 'a.wav', 'audio/wav', ${sound.length},
      ${sha256(sound)}, ${name}, 1) returning key`;
  await db`
    insert into audio_clips (device_id, start_ms, end_ms, file_id)
    values (${device?.key ?? 0}, 1790001000000, 1790001900000, ${file?.key ?? 0})`;
}

/** An installation of the version before, on an external database. */
async function makeFormer(): Promise<{ readonly config: Config; readonly db: Db }> {
  const { db, url } = await openEmptyDatabase();
  await apply(db, former);
  const config = { ...baseConfig(await makeFolder(), url, randomBytes(32)), admin: undefined };
  await addRecords(db, config);
  return { config, db };
}

const newestMigration = async (db: Db) =>
  (await db<{ number: number }[]>`select max(number) as number from schema_migrations`)[0]?.number;

const start = (config: Config, log = silentLog) => startNode({ ...testNodeOptions(config, log), passwordCost });
const openTarget = (folder: string) => openForRestore(openPlace(folder, { accessKey: '', secretKey: '' }), undefined);

type Rows = Awaited<ReturnType<typeof readRows>>;

/** A restore marks clips that wait to be judged, so that nobody is told of them; nothing else. */
const asRestored = (rows: Rows): Rows => ({
  ...rows,
  clips_to_judge: rows['clips_to_judge']!.map((row) => row.replace(/,f,\)$/, ',t,)')),
});

test('the tables of the version before are saved; restored as saved, every record is as it was', async () => {
  const { config, db } = await makeFormer();
  const before = await readRows(config);
  expect(await compareSchema(config, migrationsDir, silentLog)).toEqual({
    database: former.length,
    program: migrations.length,
    different: null,
  });
  const log = recordingLog();
  const node = await start(config, log);
  await node.stop();
  expect(await newestMigration(db)).toBe(migrations.length);
  const folder = join(config.dataDir, 'backups', `before-${firstNew}`);
  const said = log.lines.find(({ message }) => message === 'saved the database before its upgrade');
  expect(said?.fields).toMatchObject({ folder, goBack: expect.arrayContaining([expect.stringContaining(folder)]) });

  const empty = await createTestDatabase({ isEmpty: true });
  onTestFinished(() => empty.drop());
  const restored = { ...config, databaseUrl: empty.url };
  const target = await openTarget(folder);
  await restoreBackup({ config: restored, log: silentLog, migrationsDir, target, asSaved: true });
  expect(await readRows(restored)).toEqual(asRestored(before));
  expect(await compareSchema(restored, migrationsDir, silentLog)).toMatchObject({ database: former.length });
  const verified = await verifyInstallation({ config: restored, log: silentLog, hashShare: 1 });
  expect(verified).toMatchObject({ files: 1, compared: 1, faults: [], unknown: [] });
  // Another installation has other files and another key.
  const other = { ...restored, secretKey: randomBytes(32) };
  await expect(restoreBackup({ config: other, log: silentLog, migrationsDir, target, asSaved: true })).rejects.toThrow(
    'the backup is of another installation',
  );
});

test('of several nodes that start at once, one saves the database', async () => {
  const { config, db } = await makeFormer();
  const folders = await Promise.all(Array.from({ length: 3 }, makeFolder));
  const nodes = await Promise.all(
    folders.map((dataDir) => start({ ...config, dataDir, backupBeforeUpgrade: join(dataDir, 'backups') })),
  );
  for (const node of nodes) await node.stop();
  expect(await newestMigration(db)).toBe(migrations.length);
  const saved = folders.filter((folder) => existsSync(join(folder, 'backups')));
  expect(saved).toHaveLength(1);
  expect(await listBackups(await openTarget(join(saved[0] ?? '', 'backups', `before-${firstNew}`)))).toHaveLength(1);
});

test('a new database, one without changes, and one whose operator wants none are not saved', async () => {
  const empty = await createTestDatabase({ isEmpty: true });
  onTestFinished(() => empty.drop());
  const fresh = { ...baseConfig(await makeFolder(), empty.url, randomBytes(32)), admin: undefined };
  for (let starts = 0; starts < 2; starts++) await (await start(fresh)).stop();
  expect(existsSync(join(fresh.dataDir, 'backups'))).toBe(false);
  const { config } = await makeFormer();
  await (await start({ ...config, backupBeforeUpgrade: undefined })).stop();
  expect(existsSync(join(config.dataDir, 'backups'))).toBe(false);
});

test('a database that cannot be saved is not changed, and nothing is left of the backup', async () => {
  const { config, db } = await makeFormer();
  const before = await readRows(config);
  const folder = join(config.dataDir, 'backups', `before-${firstNew}`);
  await expect(start({ ...config, leastFreeBytes: Number.MAX_SAFE_INTEGER })).rejects.toThrow(
    `the database was not changed, because it could not be saved first: the disk of ${folder} is full`,
  );
  expect(await newestMigration(db)).toBe(former.length);
  expect(await readRows(config)).toEqual(before);
  expect(await readdir(folder)).toEqual([]);
});

test('a disk that becomes full ends the start with a message, and the database is as before', needed, async () => {
  const { config, db } = await makeFormer();
  // Text that cannot be compressed to the size of the disk.
  await db`
  insert into collections (user_id, collection_name, collection_description)
  select u.key, 'c-' || n, (select string_agg(md5(n::text || m::text), '') from generate_series(1, 100) m)
  from users u, generate_series(1, 4000) n`;
  const folder = join(await openScratch(), 'small');
  const server = launchServer({
    dataDir: config.dataDir,
    command: await onSmallDisk(folder, 4),
    settings: {
      EARSHOT_DATABASE_URL: config.databaseUrl ?? '',
      EARSHOT_SECRET_KEY: config.secretKey?.toString('base64') ?? '',
      EARSHOT_BACKUP_BEFORE_UPGRADE: folder,
      EARSHOT_LEAST_FREE_MB: '1',
    },
  });
  expect(await server.exited).toMatchObject({ code: 1 });
  expect(server.complaints()).toEqual([
    expect.stringMatching(/could not be saved first: the disk of .* is full\. Mend/),
  ]);
  expect(await newestMigration(db)).toBe(former.length);
});

test('backups before the newest three changes are kept, and those of other installations', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const config = baseConfig(await makeFolder(), database.url, randomBytes(32));
  const folder = await makeFolder();
  const save = (of: Config, number: string) =>
    saveBeforeUpgrade(
      {
        config: of,
        folder,
        database: database.url,
        version: '0.0.0-test',
        passingTables,
        program: 'earshot',
        log: silentLog,
        say: () => {},
        signal: new AbortController().signal,
      },
      { first: `${number}_some.sql`, last: `${number}_some.sql` },
    );
  await save({ ...config, secretKey: randomBytes(32) }, '0001');
  await expect(save(config, '0001')).rejects.toThrow('has backups of another installation');
  for (const number of ['0002', '0003', '0004', '0004', '0005']) await save(config, number);
  const names = ['0001', '0003', '0004', '0005'].map((number) => `before-${number}`);
  expect((await readdir(folder)).toSorted()).toEqual(names);
  expect(await listBackups(await openTarget(join(folder, 'before-0004')))).toHaveLength(1);
});

test('the commands that are printed bring the embedded database back', async () => {
  const dataDir = join(await openScratch(), 'the data');
  await mkdir(dataDir, { mode: 0o711 });
  const config = { ...baseConfig(dataDir, '', randomBytes(32)), databaseUrl: undefined, secretKey: undefined };
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, isDisposable: true });
  const db = connect(postgres.connection, { connections: 1, name: 'upgrade test' });
  const formerDir = await makeFormerFolder();
  await migrate(db, formerDir, silentLog);
  await addRecords(db, config);
  await db.end({ timeout: 1 });
  await postgres.stop();
  const before = await readRows(config);

  const server = await startServer({ dataDir });
  expect(await stopServer(server)).toEqual({ code: 0, signal: null });
  expect(await compareSchema(config, migrationsDir, silentLog)).toMatchObject({ database: migrations.length });
  const commands = server.said().match(/^ {2}\S.*$/gm) ?? [];
  expect(commands).toHaveLength(2);
  const said = execFileSync('sh', ['-ec', commands.join('\n')], { encoding: 'utf8' });
  expect(said).toContain(`Start the version whose newest migration is ${former.at(-1)?.name} now.`);
  expect(await readRows(config)).toEqual(asRestored(before));
  // The way back to the version before is open.
  expect(await compareSchema(config, formerDir, silentLog)).toEqual({
    database: former.length,
    program: former.length,
    different: null,
  });
  expect(await verifyInstallation({ config, log: silentLog, hashShare: 1 })).toMatchObject({ compared: 1, faults: [] });
});

async function makeFormerFolder(): Promise<string> {
  const folder = await makeFolder();
  for (const { name, sql } of former) await writeFile(join(folder, name), sql);
  return folder;
}
