import type { Config } from '../config.ts';
import type { Log } from '../platform/log.ts';
import { removalLock } from '../platform/storage/removal-lock.ts';
import { openStorage } from '../platform/storage/storage.ts';
import { openDatabase } from './database.ts';
import type { BackupManifest } from './format.ts';
import { backupIdOf, backupPath, manifestName, secretKeyName } from './format.ts';
import { installationOf, requireInstallation, requireOwnTarget } from './installation.ts';
import { removeOldBackups } from './remove-old.ts';
import type { FileProgress } from './save-files.ts';
import { saveFiles } from './save-files.ts';
import type { TableProgress } from './save-tables.ts';
import { beginSnapshot, saveTables } from './save-tables.ts';
import type { BackupTarget } from './target.ts';
import { each } from './target.ts';

export interface BackupOptions {
  readonly config: Config;
  readonly log: Log;
  readonly version: string;
  readonly target: BackupTarget;
  readonly passingTables: ReadonlySet<string>;
  /** How many backups to keep in the target; all unless given. */
  readonly keep?: number | undefined;
  readonly onTable?: TableProgress;
  readonly onFile?: FileProgress;
}

export interface BackupResult {
  readonly manifest: BackupManifest;
  readonly copiedFiles: number;
  readonly copiedBytes: number;
  readonly removed: readonly string[];
}

/** Saves the database as it is at one moment, and the files that it knows. The server may run meanwhile. */
export async function createBackup(options: BackupOptions): Promise<BackupResult> {
  const { config, log, version, target, passingTables, keep, onTable = () => {}, onFile = () => {} } = options;
  const startDate = new Date();
  const id = backupIdOf(startDate);
  const storage = openStorage({ ...config.storage, dataDir: config.dataDir });
  const key = await requireInstallation(config);
  const installation = installationOf(key);
  await requireOwnTarget(target, installation);
  const database = await openDatabase(config, log);
  try {
    const client = await database.connect();
    // Before the snapshot: no bytes of a file that the snapshot knows are removed until this connection ends.
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [removalLock]);
    await target.removeUnfinished();
    await beginSnapshot(client);
    const saved = await saveTables(client, target, id, passingTables, onTable);
    const { files, copied, copiedBytes } = await saveFiles(client, storage, target, id, onFile);
    await client.query('commit');
    await target.put(backupPath(id, secretKeyName), each(`${key.toString('base64')}\n`));
    const created = startDate.toISOString();
    const manifest: BackupManifest = { id, installation, created, earshotVersion: version, ...saved, files };
    await target.put(backupPath(id, manifestName), each(`${JSON.stringify(manifest, null, 2)}\n`));
    const removed = keep === undefined ? [] : await removeOldBackups(target, keep);
    return { manifest, copiedFiles: copied, copiedBytes, removed };
  } finally {
    await database.close();
  }
}
