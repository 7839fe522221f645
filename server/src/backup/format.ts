/*
 * The format of backups, version 1 (docs/backup.md). A target is a folder or a place in an object store:
 *
 *   earshot-backup.json              what the target is, and how it is encrypted; never encrypted itself
 *   files/<name>                     the bytes of a stored file, shared by all backups of the target
 *   backups/<id>/tables/<table>.gz   the rows of a table, as COPY writes them (text format)
 *   backups/<id>/files.gz            a line for each file of this backup: name, size, SHA-256
 *   backups/<id>/secret.key          the key that decrypts the secrets in the tables
 *   backups/<id>/manifest.json       written last: a backup without it is incomplete
 */

export const formatName = 'earshot-backup';
export const formatVersion = 1;

export const headerPath = 'earshot-backup.json';
export const filePath = (storageName: string): string => `files/${storageName}`;
export const backupPath = (id: string, name: string): string => `backups/${id}/${name}`;
export const tablePath = (id: string, table: string): string => backupPath(id, `tables/${table}.gz`);
export const manifestName = 'manifest.json';
export const fileListName = 'files.gz';
export const secretKeyName = 'secret.key';

/** Sorts by time, and is a valid folder name everywhere. */
export const backupIdOf = (date: Date): string => date.toISOString().replaceAll(':', '-').replace('.', '-');

export interface TargetHeader {
  readonly format: typeof formatName;
  readonly version: number;
  readonly encryption: TargetEncryption | null;
}

/** How the key of the target comes from its passphrase. */
export interface TargetEncryption {
  readonly keyDerivation: 'scrypt';
  readonly salt: string;
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
  /** A hash of the key: tells a wrong passphrase from damaged bytes. */
  readonly check: string;
}

export interface SavedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** Of the uncompressed rows. */
  readonly sha256: string;
}

export interface SavedSequence {
  readonly table: string;
  readonly column: string;
  /** The last value that was given out; null if none was. */
  readonly last: string | null;
}

export interface BackupManifest {
  readonly id: string;
  /** Whether files and the secret key are not part of it, because they stay where they are (before-upgrade.ts). */
  readonly onlyDatabase?: true;
  /** Each installation has its own targets. */
  readonly installation: string;
  readonly created: string;
  readonly earshotVersion: string;
  readonly postgresVersion: string;
  /** The migrations that the database had. */
  readonly migrations: readonly { readonly name: string; readonly sha256: string }[];
  readonly tables: readonly SavedTable[];
  readonly sequences: readonly SavedSequence[];
  readonly files: { readonly count: number; readonly bytes: number; readonly sha256: string };
}

export interface SavedFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

export const writeFileLine = ({ name, size, sha256 }: SavedFile): string => `${name}\t${size}\t${sha256}\n`;

export function readFileLine(line: string): SavedFile {
  const [, name = '', size = '', sha256 = ''] = /^([a-z0-9-]{1,80})\t(\d+)\t([0-9a-f]{64})$/.exec(line) ?? [];
  if (name === '') throw new BackupFault(`the list of files has a line that is not valid: ${line.slice(0, 100)}`);
  return { name, size: Number(size), sha256 };
}

/** What is wrong with a backup, its target or the place to restore to, in words for the person who runs the command. */
export class BackupFault extends Error {}
