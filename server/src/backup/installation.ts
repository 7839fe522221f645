import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { isCluster } from '../platform/database/embedded/paths.ts';
import { findSecretKey } from '../platform/secrets/secret-key.ts';
import { BackupFault } from './format.ts';
import type { BackupTarget } from './target.ts';
import { listBackups, readManifest } from './target.ts';

/** Throws if there is no installation, which a wrong EARSHOT_DATA_DIR would otherwise create; returns its secret key. */
export async function requireInstallation({ secretKey, databaseUrl, dataDir }: Config): Promise<Buffer> {
  const key = secretKey ?? (await findSecretKey(dataDir));
  const hasDatabase = databaseUrl !== undefined || (await isCluster(join(dataDir, 'postgres', 'cluster')));
  if (key && hasDatabase) return key;
  throw new BackupFault(
    `there is no installation in ${dataDir}: its ${key ? 'database' : 'secret.key'} is missing; set EARSHOT_DATA_DIR to the data folder of the server`,
  );
}

/** The same for an installation and what was restored from its backups; tells nothing about the key. */
export const installationOf = (secretKey: Buffer): string =>
  createHash('sha256').update('earshot installation\n').update(secretKey).digest('hex').slice(0, 32);

/** Installations do not share a target: removing old backups of one would remove files of the other. */
export async function requireOwnTarget(target: BackupTarget, installation: string): Promise<void> {
  const newest = (await listBackups(target)).at(-1);
  if (newest === undefined || (await readManifest(target, newest)).installation === installation) return;
  throw new BackupFault(`${target.name} has backups of another installation; choose a target for this one alone`);
}
