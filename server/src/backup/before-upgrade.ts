import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import type { Config } from '../config.ts';
import type { ConnectionSettings } from '../platform/database/connect.ts';
import { readTarget } from '../platform/database/connection-target.ts';
import { openClient } from '../platform/database/open-client.ts';
import type { Upgrade } from '../platform/database/migrate.ts';
import type { Log } from '../platform/log.ts';
import { loadSecretKey } from '../platform/secrets/secret-key.ts';
import type { BackupManifest } from './format.ts';
import { backupIdOf, backupPath, manifestName } from './format.ts';
import { howToGoBack } from './going-back.ts';
import { installationOf, requireOwnTarget } from './installation.ts';
import { openPlace } from './place.ts';
import { removeOldBackups } from './remove-old.ts';
import { saveNoFiles } from './save-files.ts';
import { beginSnapshot, saveTables } from './save-tables.ts';
import type { BackupTarget } from './target.ts';
import { each, openForBackup, openForRestore } from './target.ts';

/*
 * Before a new version changes a database that has records, it saves it (decision 0031). For each change of the schema the
 * folder has one target of backups (docs/backup.md), with the newest backup before that change:
 *
 *   before-0037/backups/<id>/…
 *
 * Files and the secret key are not part of it, because no migration changes them.
 */

export interface UpgradeBackupOptions {
  readonly config: Config;
  readonly folder: string;
  /** Not a pooler. */
  readonly database: ConnectionSettings | string;
  readonly version: string;
  readonly passingTables: ReadonlySet<string>;
  /** The command that restores backups, such as `node /opt/earshot/server/dist/backup.js`. */
  readonly program: string;
  readonly log: Log;
  /** Tells a person. */
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

const keptTargets = 3;
const progressEveryMs = 5_000;
const checkEveryBytes = 16 * 1024 ** 2;
const noKeys = { accessKey: '', secretKey: '' };
const megabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`;

/** Saves the database, and says how to go back. Throws if it cannot be saved; then nothing is left of the backup. */
export async function saveBeforeUpgrade(options: UpgradeBackupOptions, upgrade: Upgrade): Promise<void> {
  const { config, log, say, signal } = options;
  const folder = join(options.folder, `before-${upgrade.first.slice(0, 4)}`);
  const id = backupIdOf(new Date());
  try {
    const bytes = await save(options, upgrade, folder, id);
    const goBack = howToGoBack({ config, folder, program: options.program });
    log.info({ folder, id, bytes, goBack }, 'saved the database before its upgrade');
    say(`Saved (${megabytes(bytes)}). ${goBack.join('\n')}`);
  } catch (error) {
    await rm(join(folder, 'backups', id), { recursive: true, force: true }).catch(() => {});
    await rm(join(folder, 'unfinished'), { recursive: true, force: true }).catch(() => {});
    signal.throwIfAborted();
    throw new Error(
      `the database was not changed, because it could not be saved first: ${reasonOf(error, folder)}. Mend this, or set EARSHOT_BACKUP_BEFORE_UPGRADE to another folder, or to no if you have a backup. The former version can still be started`,
      { cause: error },
    );
  }
}

function reasonOf(error: unknown, folder: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' ? `the disk of ${folder} is full` : message;
}

/** Returns the size of the backup. */
async function save(
  { config, folder: root, database, version, passingTables, log, say, signal }: UpgradeBackupOptions,
  { first, last }: Upgrade,
  folder: string,
  id: string,
): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await requireSpace(folder, config.leastFreeBytes);
  const installation = installationOf(config.secretKey ?? (await loadSecretKey(config.dataDir)));
  const place = await openForBackup(openPlace(folder, noKeys), undefined);
  await requireOwnTarget(place, installation);
  await place.removeUnfinished();
  let bytes = 0;
  let doing = '';
  const target = watchedTarget(place, async (size) => {
    signal.throwIfAborted();
    const isDue = Math.floor((bytes + size) / checkEveryBytes) > Math.floor(bytes / checkEveryBytes);
    bytes += size;
    if (isDue) await requireSpace(folder, config.leastFreeBytes);
  });
  const { client } = await openClient(readTarget(database), { application_name: 'earshot backup', keepAlive: true });
  const progress = setInterval(() => say(`Saving ${doing}; ${megabytes(bytes)} so far`), progressEveryMs);
  try {
    log.info({ folder, first, last }, 'saving the database before its upgrade');
    say(
      `This version changes the database (${first === last ? first : `${first} to ${last}`}). It is saved to ${folder} first: ${await sizeOf(client)}`,
    );
    await beginSnapshot(client);
    const saved = await saveTables(client, target, id, passingTables, (table, done, all) => {
      doing = `table ${done + 1} of ${all}, ${table}`;
    });
    await client.query('commit');
    const files = await saveNoFiles(target, id);
    const created = new Date().toISOString();
    const about = { id, onlyDatabase: true, installation, created, earshotVersion: version } as const;
    const manifest: BackupManifest = { ...about, ...saved, files };
    await target.put(backupPath(id, manifestName), each(`${JSON.stringify(manifest, null, 2)}\n`));
  } finally {
    clearInterval(progress);
    await client.end().catch(() => {});
  }
  await removeOld(root, place, installation).catch((error: unknown) => log.warn({ error }, 'old backups stay'));
  return bytes;
}

const sizeOf = async (client: Client): Promise<string> =>
  (await client.query<{ size: string }>('select pg_size_pretty(pg_database_size(current_database())) as size')).rows[0]
    ?.size ?? '';

/** A target that reports the bytes that are written. */
function watchedTarget(target: BackupTarget, onBytes: (size: number) => Promise<void>): BackupTarget {
  async function* watched(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      await onBytes(chunk.length);
      yield chunk;
    }
  }
  return { ...target, put: (path, content, size) => target.put(path, watched(content), size) };
}

/** The embedded database is often on the same disk, and must not run out of space. */
async function requireSpace(folder: string, leastFreeBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= leastFreeBytes) return;
  throw new Error(
    `the disk of ${folder} is full: ${megabytes(bavail * bsize)} are free, and EARSHOT_LEAST_FREE_MB is ${Math.round(leastFreeBytes / 1024 ** 2)}`,
  );
}

/** Keeps the newest one before each of the newest changes. The folder may have targets of other installations. */
async function removeOld(root: string, newest: BackupTarget, installation: string): Promise<void> {
  await removeOldBackups(newest, 1);
  const own: string[] = [];
  for (const name of (await readdir(root)).filter((entry) => /^before-\d{4}$/.test(entry)).toSorted()) {
    const folder = join(root, name);
    if (await isOwn(folder, installation)) own.push(folder);
  }
  for (const folder of own.slice(0, -keptTargets)) await rm(folder, { recursive: true, force: true });
}

async function isOwn(folder: string, installation: string): Promise<boolean> {
  try {
    await requireOwnTarget(await openForRestore(openPlace(folder, noKeys), undefined), installation);
    return true;
  } catch {
    return false;
  }
}
