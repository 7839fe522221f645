import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import type { Config } from '../config.ts';
import { connect } from '../platform/database/connect.ts';
import { migrate } from '../platform/database/migrate.ts';
import type { Log } from '../platform/log.ts';
import { findSecretKey, parseSecretKey } from '../platform/secrets/secret-key.ts';
import { sameSecret } from '../platform/secrets/tokens.ts';
import type { Storage } from '../platform/storage/storage.ts';
import { openStorage } from '../platform/storage/storage.ts';
import { listTables } from './catalog.ts';
import { openDatabase } from './database.ts';
import type { BackupManifest, SavedFile } from './format.ts';
import { backupPath, BackupFault, filePath, secretKeyName } from './format.ts';
import { installationOf } from './installation.ts';
import { loadTables, requireEmpty } from './load-tables.ts';
import type { FileProgress } from './save-files.ts';
import { damaged, readFileList } from './save-files.ts';
import type { TableProgress } from './save-tables.ts';
import type { BackupTarget } from './target.ts';
import { hashed, listBackups, readAll, readManifest } from './target.ts';

export interface RestoreOptions {
  readonly config: Config;
  readonly log: Log;
  readonly migrationsDir: string;
  readonly target: BackupTarget;
  /** The newest one unless given. */
  readonly id?: string | undefined;
  /** Whether the tables stay as they were saved, for the version that had them. */
  readonly asSaved?: boolean;
  readonly onTable?: TableProgress;
  readonly onFile?: FileProgress;
}

/**
 * Restores a backup to an empty installation: all of it or, if anything is wrong, nothing. Rows are loaded in one
 * transaction that is committed when the files are there.
 */
export async function restoreBackup(options: RestoreOptions): Promise<BackupManifest> {
  const { config, log, migrationsDir, target, onTable = () => {}, onFile = () => {} } = options;
  const manifest = await readManifest(target, await chooseBackup(target, options.id));
  const storage = openStorage({ ...config.storage, dataDir: config.dataDir });
  const hasAll = manifest.onlyDatabase !== true;
  if (hasAll) await storage.check();
  else await requireSameInstallation(config, manifest);
  const key = hasAll ? await readSecretKey(target, manifest.id) : undefined;
  if (key) await requireSameKey(config, key);
  const database = await openDatabase(config, log);
  const written: string[] = [];
  try {
    if (!database.isAlone) throw new BackupFault(`a server uses the data folder ${config.dataDir}; stop it first`);
    const client = await database.connect();
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0');
    await requireEmpty(client);
    await client.query('begin');
    await loadTables(client, target, manifest, migrationsDir, onTable);
    await restoreFiles(storage, target, manifest, written, onFile);
    if (config.secretKey === undefined && key) await writeSecretKey(config.dataDir, key);
    await endSignedAddresses(client);
    const hasLog = await beginAuditEpoch(client);
    const hasAlerts = await holdWaitingMatches(client);
    await client.query('commit');
    const db = connect(database.target, { connections: 2, name: 'earshot restore' });
    try {
      if (options.asSaved !== true) {
        await migrate(db, migrationsDir, log);
        await db`update installation set link_salt = gen_random_uuid() where link_salt is null`;
        if (!hasLog) await db`select begin_audit_epoch()`;
        if (!hasAlerts) await db`select hold_restored_matches()`;
      }
      await db.unsafe('analyze');
    } finally {
      await db.end({ timeout: 1 });
    }
    return manifest;
  } catch (error) {
    for (const name of written) await storage.remove(name).catch(() => {});
    throw error;
  } finally {
    await database.close();
  }
}

/** Addresses of files that were signed before do not work in the restored installation. */
async function endSignedAddresses(client: Client): Promise<void> {
  const { columns = [] } = (await listTables(client)).find(({ name }) => name === 'installation') ?? {};
  // The tables of an older version get the column by the migrations that follow.
  if (columns.includes('link_salt')) await client.query('update installation set link_salt = gen_random_uuid()');
}

/**
 * The sealed audit log goes on from the last head that the backup knows (decision 0035). Returns false if the tables are of
 * a version without the log, which gets it by the migrations that follow.
 */
async function beginAuditEpoch(client: Client): Promise<boolean> {
  const { rows } = await client.query(`select 1 where to_regprocedure('begin_audit_epoch()') is not null`);
  if (rows.length > 0) await client.query('select begin_audit_epoch()');
  return rows.length > 0;
}

/**
 * What waited to be judged by rules is judged and listed, and nobody is told of it. Returns false if the tables are of a
 * version without alerts.
 */
async function holdWaitingMatches(client: Client): Promise<boolean> {
  const { rows } = await client.query(`select 1 where to_regprocedure('hold_restored_matches()') is not null`);
  if (rows.length > 0) await client.query('select hold_restored_matches()');
  return rows.length > 0;
}

async function chooseBackup(target: BackupTarget, id: string | undefined): Promise<string> {
  const ids = await listBackups(target);
  if (ids.length === 0) throw new BackupFault(`there is no complete backup in ${target.name}`);
  if (id === undefined) return ids.at(-1) ?? '';
  if (ids.includes(id)) return id;
  throw new BackupFault(`there is no complete backup ${id} in ${target.name}; there are: ${ids.join(', ')}`);
}

async function readSecretKey(target: BackupTarget, id: string): Promise<Buffer> {
  const path = backupPath(id, secretKeyName);
  const key = parseSecretKey((await readAll(target, path)).toString('utf8').trim());
  if (!key) throw damaged(path);
  return key;
}

const keyPath = (dataDir: string): string => join(dataDir, 'secret.key');

async function requireSameKey({ secretKey, dataDir }: Config, key: Buffer): Promise<void> {
  if (secretKey !== undefined && !sameSecret(secretKey, key)) {
    throw new BackupFault('EARSHOT_SECRET_KEY is not the key of the backup; leave it out or set it to that key');
  }
  const own = await readFile(keyPath(dataDir), 'utf8').catch(() => undefined);
  if (secretKey !== undefined || own === undefined) return;
  if (own.trim() !== key.toString('base64')) {
    throw new BackupFault(`${keyPath(dataDir)} belongs to another installation; restore to an empty EARSHOT_DATA_DIR`);
  }
}

/** A backup of the database alone needs the key and the files of its installation. */
async function requireSameInstallation({ secretKey, dataDir }: Config, { installation }: BackupManifest) {
  const key = secretKey ?? (await findSecretKey(dataDir));
  if (key === undefined || installationOf(key) === installation) return;
  throw new BackupFault(
    `the backup is of another installation than the key of ${secretKey ? 'EARSHOT_SECRET_KEY' : dataDir}; it has no key and no files of its own`,
  );
}

async function writeSecretKey(dataDir: string, key: Buffer): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const draft = `${keyPath(dataDir)}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${key.toString('base64')}\n`, { mode: 0o600, flush: true });
  await rename(draft, keyPath(dataDir));
}

async function restoreFiles(
  storage: Storage,
  target: BackupTarget,
  { id, files }: BackupManifest,
  written: string[],
  onProgress: FileProgress,
): Promise<void> {
  let done = 0;
  let bytes = 0;
  for await (const file of readFileList(target, id, files.sha256)) {
    // A restore that was killed has left it, or it is the same object store.
    if ((await storage.sizeOf(file.name)) !== file.size) {
      written.push(file.name);
      await restoreFile(storage, target, file);
      bytes += file.size;
    }
    done += 1;
    onProgress(done, files.count, bytes);
  }
}

async function restoreFile(storage: Storage, target: BackupTarget, { name, size, sha256 }: SavedFile): Promise<void> {
  const path = filePath(name);
  await storage.remove(name);
  let isSame = false;
  const source = hashed(target.read(path), (hash, bytes) => (isSame = hash === sha256 && bytes === size));
  await storage.append(name, { offset: 0, size, length: size, source });
  if (!isSame) throw damaged(path);
  await storage.finish(name, size);
}
