import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@earshot/client/client';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Config } from '../../config.ts';
import { sha256, tinyWav } from '../../features/file/tests/sound.ts';
import { startNode } from '../../node.ts';
import { connect } from '../../platform/database/connect.ts';
import { migrate, readMigrations } from '../../platform/database/migrate.ts';
import { openScratch } from '../../platform/database/embedded/testing/scratch.ts';
import { silentLog } from '../../testing/log.ts';
import { createPeople } from '../../testing/person.ts';
import type { TestServer } from '../../testing/server.ts';
import { adminEmail, adminPassword, baseConfig, startTestServer, testNodeOptions } from '../../testing/server.ts';
import { listBackups } from '../target.ts';
import { verifyInstallation } from '../verify.ts';
import type { Key } from './installations.ts';
import {
  backUp,
  emptyInstallation,
  fill,
  makeFolder,
  migrationsDir,
  openExisting,
  openNew,
  readRows,
  record,
  restore,
} from './installations.ts';

const secretKey = Buffer.alloc(32, 7);
let server: TestServer;
let config: Config;
let deviceID: number;
let key: Key;
/** Has former sound. */
let audioClipID: number;

beforeAll(async () => {
  server = await startTestServer({ secretKey });
  config = baseConfig(server.dataDir, server.databaseUrl, secretKey);
  deviceID = await fill(server, 6);
  ({ credential: key } = await server.admin.withKey());
  const [clip] = await server.admin.session.listAudioClips({ body: { deviceID } });
  audioClipID = clip?.key ?? 0;
  await server.admin.session.putAudioClipContent({ params: { audioClipID }, body: tinyWav(3) });
  // The server judges changed clips and summarises their devices a moment later: that would change what is compared.
  await vi.waitUntil(
    async () => (await server.db`select from clips_to_judge union all select from devices_to_summarise`).length === 0,
  );
});
afterAll(() => server.stop());

const verify = (of: Config) => verifyInstallation({ config: of, log: silentLog, hashShare: 1 });

test('a restored installation has every row and every byte, and works', async () => {
  const folder = await makeFolder();
  await backUp(config, await openNew(folder));
  const restored = await emptyInstallation();
  const before = await readRows(config);
  await restore(restored, await openExisting(folder));
  expect(await readRows(restored)).toEqual(before);
  expect(await verify(restored)).toMatchObject({ files: 7, hashed: 7, compared: 7, faults: [], unknown: [] });
  const node = await startNode({
    ...testNodeOptions({ ...restored, admin: undefined }, silentLog),
    passwordCost: { memoryCost: 64, timeCost: 1, parallelism: 1 },
  });
  onTestFinished(() => node.stop());
  // API keys work, new keys follow the old ones, sessions have ended.
  const client = createClient({ url: node.url, credential: key });
  const added = await client.createDevice({ body: { deviceSerial: 'after-the-restore' } });
  expect(added.key).toBeGreaterThan(deviceID);
  expect((await fetch(new URL('/v1/session', node.url), { headers: { cookie: server.admin.cookie } })).status).toBe(
    401,
  );
  await createPeople(node.url).signIn(adminEmail, adminPassword);
  const [version] = await client.listAudioClipVersions({ params: { audioClipID } });
  const params = { audioClipID, audioClipVersionID: version?.key ?? 0 };
  const former = await (await client.getAudioClipVersionContent({ params })).arrayBuffer();
  expect(sha256(new Uint8Array(former))).toBe(version?.sHA256Hash);
});

test('addresses that were signed before do not work after a restore', async () => {
  const folder = await makeFolder();
  const client = createClient({ url: server.url, credential: key });
  const file = await client.createFile({ body: { filename: 'a.wav', fileSize: 44, sHA256Hash: 'a'.repeat(64) } });
  await backUp(config, await openNew(folder));
  const restored = await emptyInstallation();
  await restore(restored, await openExisting(folder));
  const node = await startNode(testNodeOptions({ ...restored, admin: undefined }, silentLog));
  onTestFinished(() => node.stop());
  const address = new URL(file.signedURL ?? '');
  const put = (origin: string) =>
    fetch(new URL(address.pathname + address.search, origin), { method: 'PUT', body: Buffer.alloc(44) });
  expect((await put(node.url)).status).toBe(404);
  expect((await put(server.url)).status).not.toBe(404);
});

test('from an external database to the embedded one, encrypted', async () => {
  const folder = await makeFolder();
  await backUp(config, await openNew(folder, 'a long passphrase'));
  const dataDir = join(await openScratch(), 'data');
  const embedded = { ...baseConfig(dataDir, '', secretKey), databaseUrl: undefined, secretKey: undefined };
  await restore(embedded, await openExisting(folder, 'a long passphrase'));
  expect(await readRows(embedded)).toEqual(await readRows(config));
  // And back again, from a data folder without a running server.
  const back = await makeFolder();
  await backUp(embedded, await openNew(back));
  const external = await emptyInstallation();
  await restore(external, await openExisting(back));
  expect(await readRows(external)).toEqual(await readRows(config));
  expect(await readFile(join(external.dataDir, 'secret.key'), 'utf8')).toBe(`${secretKey.toString('base64')}\n`);
  const texts = await Promise.all(
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && entry.name !== 'earshot-backup.json')
      .map((entry) => readFile(join(entry.parentPath, entry.name))),
  );
  expect(texts.length).toBeGreaterThan(10);
  expect(texts.every((bytes) => bytes.subarray(0, 8).toString() === 'EARSHOT1')).toBe(true);
});

test('a backup while the fleet writes has everything that was acknowledged before it', async () => {
  const folder = await makeFolder();
  const over = new AbortController();
  const uploaded: number[] = [];
  const write = async (writer: number): Promise<void> => {
    for (let index = 0; !over.signal.aborted; index++) {
      uploaded.push(await record(server.url, key, deviceID, 1000 * (writer + 1) + index));
    }
  };
  const writers = [1, 2].map(write);
  await expect.poll(() => uploaded.length).toBeGreaterThan(4);
  const acknowledged = [...uploaded];
  const { manifest } = await backUp(config, await openNew(folder));
  over.abort();
  await Promise.all(writers);
  const restored = await emptyInstallation();
  await restore(restored, await openExisting(folder));
  const db = connect(restored.databaseUrl ?? '', { connections: 1, name: 'test' });
  onTestFinished(() => db.end({ timeout: 1 }));
  const clips = await db<{ key: number }[]>`select key from audio_clips where file_id is not null`;
  const kept = new Set(clips.map((clip) => clip.key));
  expect(acknowledged.filter((clip) => !kept.has(clip))).toEqual([]);
  const report = await verify(restored);
  expect([report.files, report.faults, report.unknown]).toEqual([manifest.files.count, [], []]);
});

test('the next backup copies only new files, and old backups are removed with the files that only they need', async () => {
  const folder = await makeFolder();
  const first = await backUp(config, await openNew(folder));
  expect(first.copiedFiles).toBe(first.manifest.files.count);
  const clip = await record(server.url, key, deviceID, 500_000);
  const second = await backUp(config, await openNew(folder));
  expect(second.copiedFiles).toBe(1);
  await server.db`delete from audio_clips where key = ${clip}`;
  await server.db`delete from files where filename = '500000.wav'`;
  const third = await backUp(config, await openNew(folder), { keep: 1 });
  expect(third.removed).toEqual([first.manifest.id, second.manifest.id]);
  expect(await listBackups(await openExisting(folder))).toEqual([third.manifest.id]);
  expect(await readdir(join(folder, 'files'))).toHaveLength(third.manifest.files.count);
  expect(await readdir(join(folder, 'backups'))).toContain(third.manifest.id);
});

test('no bytes are removed while a backup copies files', async () => {
  const name = await server.db<{ name: string }[]>`
    insert into removed_files (storage_name, due_date) values (gen_random_uuid(), now()) returning storage_name as name`;
  const { findRemoved } = await import('../../features/file/sweep-queries.ts');
  const { removalLock } = await import('../../platform/storage/removal-lock.ts');
  const holder = connect(server.databaseUrl, { connections: 1, name: 'test' });
  onTestFinished(() => holder.end({ timeout: 1 }));
  await holder`select pg_advisory_lock(${removalLock})`;
  expect(await findRemoved(server.db, 100)).toEqual([]);
  await holder`select pg_advisory_unlock(${removalLock})`;
  expect(await findRemoved(server.db, 100)).toContain(name[0]?.name);
});

test('the backup of an older version is restored and brought up to date', async () => {
  const older = { ...(await emptyInstallation()), secretKey };
  const own = await readMigrations(migrationsDir);
  const folder = await makeFolder();
  for (const { name, sql } of own.slice(0, -1)) await writeFile(join(folder, name), sql);
  const db = connect(older.databaseUrl ?? '', { connections: 1, name: 'test' });
  onTestFinished(() => db.end({ timeout: 1 }));
  await migrate(db, folder, silentLog);
  await db`insert into users (email, role, password_hash, postback_secret) values ('a@b.c', 'member', 'x', '\\x01')`;
  const saved = await makeFolder();
  await backUp(older, await openNew(saved));
  const restored = await emptyInstallation();
  const { migrations } = await restore(restored, await openExisting(saved));
  expect(migrations).toHaveLength(own.length - 1);
  expect((await readRows(restored))['users']).toEqual((await readRows(older))['users']);
  const now = connect(restored.databaseUrl ?? '', { connections: 1, name: 'test' });
  onTestFinished(() => now.end({ timeout: 1 }));
  expect(await now`select max(number) as number from schema_migrations`).toEqual([{ number: own.length }]);
});

test('the backup of a newer version is refused', async () => {
  const folder = await makeFolder();
  const { manifest } = await backUp(config, await openNew(folder));
  const path = join(folder, 'backups', manifest.id, 'manifest.json');
  const migrations = [...manifest.migrations, { name: '9999_later.sql', sha256: '0' }];
  await writeFile(path, JSON.stringify({ ...manifest, earshotVersion: '9.9.9', migrations }));
  await expect(restore(await emptyInstallation(), await openExisting(folder))).rejects.toThrow(
    'made by Earshot 9.9.9, whose database has the change 9999_later.sql',
  );
});

test('a damaged or incomplete backup is refused, and nothing is left of it', async () => {
  const folder = await makeFolder();
  const { manifest } = await backUp(config, await openNew(folder));
  const at = (path: string) => join(folder, path);
  const [file = ''] = await readdir(at('files'));
  const damages: readonly (readonly [string, (path: string) => Promise<void>, string])[] = [
    [`files/${file}`, (path) => truncate(path, 10), `files/${file} is damaged`],
    [`backups/${manifest.id}/tables/devices.gz`, (path) => truncate(path, 40), 'tables/devices.gz is damaged'],
    [`backups/${manifest.id}/files.gz`, (path) => truncate(path, 25), 'files.gz is damaged'],
    [`backups/${manifest.id}/secret.key`, (path) => writeFile(path, 'x'), 'secret.key is damaged'],
  ];
  for (const [path, damage, message] of damages) {
    const whole = await readFile(at(path));
    await damage(at(path));
    const restored = await emptyInstallation();
    await expect(restore(restored, await openExisting(folder)), path).rejects.toThrow(message);
    expect(Object.keys(await readRows(restored)), path).toEqual([]);
    expect(
      (await readdir(join(restored.dataDir, 'files'), { recursive: true, withFileTypes: true })).filter((entry) =>
        entry.isFile(),
      ),
    ).toEqual([]);
    await writeFile(at(path), whole);
  }
  await restore(await emptyInstallation(), await openExisting(folder), manifest.id);
});

test('what cannot be restored is refused with the reason', async () => {
  const folder = await makeFolder();
  const target = await openNew(folder, 'right');
  await expect(openExisting(folder, 'wrong')).rejects.toThrow('the passphrase is wrong');
  await expect(openExisting(folder)).rejects.toThrow('are encrypted: give the passphrase');
  await expect(restore(config, target)).rejects.toThrow('there is no complete backup in');
  const { manifest } = await backUp(config, target);
  await expect(restore(config, target)).rejects.toThrow('stop it first');
  const restored = await emptyInstallation();
  await restore(restored, target);
  await expect(restore(restored, target)).rejects.toThrow('is not empty (it has the table');
  await expect(restore(await emptyInstallation(), target, 'other')).rejects.toThrow(`there are: ${manifest.id}`);
  const otherKey = { ...(await emptyInstallation()), secretKey: Buffer.alloc(32, 9) };
  await expect(restore(otherKey, target)).rejects.toThrow('EARSHOT_SECRET_KEY is not the key of the backup');
  await expect(openExisting(await makeFolder())).rejects.toThrow('earshot-backup.json is missing');
  const strange = await makeFolder();
  await writeFile(join(strange, 'notes.txt'), 'x');
  await expect(openNew(strange)).rejects.toThrow('is not empty (notes.txt)');
});

test('installations do not share a target', async () => {
  const folder = await makeFolder();
  const { manifest } = await backUp(config, await openNew(folder));
  const other = await emptyInstallation();
  await restore(other, await openExisting(folder));
  // What was restored is the same installation.
  await backUp(other, await openNew(folder));
  await expect(
    backUp({ ...other, secretKey: Buffer.alloc(32, 9) }, await openNew(folder), { keep: 1 }),
  ).rejects.toThrow(`${folder} has backups of another installation`);
  expect(await listBackups(await openExisting(folder))).toContain(manifest.id);
});

test('a data folder without an installation is refused, and nothing is created there', async () => {
  const missing = join(await makeFolder(), 'mistyped');
  const wrong = { ...config, dataDir: missing, databaseUrl: undefined };
  const target = await openNew(await makeFolder());
  await expect(backUp(wrong, target)).rejects.toThrow(
    `there is no installation in ${missing}: its database is missing`,
  );
  const withoutKey = { ...config, dataDir: missing, secretKey: undefined };
  await expect(backUp(withoutKey, target)).rejects.toThrow('its secret.key is missing');
  await expect(verify(wrong)).rejects.toThrow('there is no installation in');
  await expect(readdir(missing)).rejects.toThrow('ENOENT');
});

test('what a killed backup left is removed by the next one', async () => {
  const folder = await makeFolder();
  await backUp(config, await openNew(folder));
  await mkdir(join(folder, 'unfinished'), { recursive: true });
  await writeFile(join(folder, 'unfinished', 'of-a-killed-backup'), 'x');
  await mkdir(join(folder, 'backups', '2026-01-01T00-00-00-000Z', 'tables'), { recursive: true });
  await writeFile(join(folder, 'backups', '2026-01-01T00-00-00-000Z', 'tables', 'devices.gz'), 'x');
  const { manifest } = await backUp(config, await openNew(folder), { keep: 1 });
  expect(await readdir(join(folder, 'unfinished'))).toEqual([]);
  const left = (await readdir(join(folder, 'backups'), { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  expect(left.filter(({ parentPath }) => !parentPath.includes(manifest.id))).toEqual([]);
});
