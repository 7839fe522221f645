import { createHash } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Log } from '../platform/log.ts';
import type { Storage } from '../platform/storage/storage.ts';
import { openStorage } from '../platform/storage/storage.ts';
import { openDatabase } from './database.ts';

export interface VerifyOptions {
  readonly config: Config;
  readonly log: Log;
  /** The share of files whose bytes are read and hashed, 0 to 1. */
  readonly hashShare: number;
  readonly onProgress?: (done: number, all: number) => void;
}

export interface VerifyReport {
  readonly files: number;
  readonly bytes: number;
  readonly hashed: number;
  /** Files with a known hash, of those that were read. */
  readonly compared: number;
  /** A line for each fault: a record without its bytes, or with other ones. */
  readonly faults: readonly string[];
  /** Stored bytes without a record: uploads in progress, or remains of a crash. */
  readonly unknown: readonly string[];
}

interface FileRecord {
  readonly key: string;
  readonly name: string;
  readonly size: number;
  readonly sha256: string | null;
}

/** Compares the records of files with the stored bytes. The server may run meanwhile. */
export async function verifyInstallation(options: VerifyOptions): Promise<VerifyReport> {
  const { config, log, hashShare, onProgress = () => {} } = options;
  const storage = openStorage({ ...config.storage, dataDir: config.dataDir });
  const database = await openDatabase(config, log);
  try {
    const client = await database.connect();
    await client.query('set statement_timeout = 0');
    const listRecords = async (): Promise<FileRecord[]> => {
      const { rows } = await client.query<FileRecord>(
        `select key, storage_name as name, file_size::float8 as size, sha256_hash as sha256
        from files where file_status = 1 order by key`,
      );
      return rows;
    };
    // Every name that a record knows, available or not, or that is to be removed.
    const isKnown = async (name: string): Promise<boolean> => {
      const { rows } = await client.query(
        'select 1 from files where storage_name = $1 union all select 1 from removed_files where storage_name = $1',
        [name.replace(/-peaks$/, '')],
      );
      return rows.length > 0;
    };
    // Listed first: what is stored after this has a record by then, or is an upload in progress.
    const stored: string[] = [];
    for await (const { name } of storage.list()) stored.push(name);
    const records = await listRecords();
    const checked = await checkRecords(storage, records, hashShare, onProgress);
    const faults = await withoutRemoved(checked.faults, async (key) => {
      const { rows } = await client.query('select 1 from files where key = $1 and file_status = 1', [key]);
      return rows.length > 0;
    });
    const known = new Set(records.map(({ name }) => name));
    const unknown: string[] = [];
    for (const name of new Set(stored)) {
      if (!known.has(name.replace(/-peaks$/, '')) && !(await isKnown(name))) unknown.push(name);
    }
    const bytes = records.reduce((sum, { size }) => sum + size, 0);
    const { hashed, compared } = checked;
    return { files: records.length, bytes, hashed, compared, faults, unknown };
  } finally {
    await database.close();
  }
}

interface FileFault {
  readonly key: string;
  readonly text: string;
}

async function checkRecords(
  storage: Storage,
  records: readonly FileRecord[],
  hashShare: number,
  onProgress: (done: number, all: number) => void,
): Promise<{ hashed: number; compared: number; faults: readonly FileFault[] }> {
  const faults: FileFault[] = [];
  let hashed = 0;
  let compared = 0;
  for (const [index, record] of records.entries()) {
    const { key, name, size, sha256 } = record;
    const found = await storage.sizeOf(name);
    if (found === undefined) faults.push({ key, text: `file ${key}: its bytes (${name}) are missing` });
    else if (found !== size) faults.push({ key, text: `file ${key}: ${name} has ${found} bytes instead of ${size}` });
    else if (Math.random() < hashShare) {
      const actual = await hashStored(storage, name);
      hashed += 1;
      if (sha256 !== null) compared += 1;
      if (sha256 !== null && actual !== sha256) {
        faults.push({ key, text: `file ${key}: ${name} has the SHA-256 ${actual} instead of ${sha256}` });
      }
    }
    onProgress(index + 1, records.length);
  }
  return { hashed, compared, faults };
}

/** A file that was removed meanwhile is no fault. */
async function withoutRemoved(
  faults: readonly FileFault[],
  isThere: (key: string) => Promise<boolean>,
): Promise<string[]> {
  const texts: string[] = [];
  for (const { key, text } of faults) if (await isThere(key)) texts.push(text);
  return texts;
}

async function hashStored(storage: Storage, name: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await storage.read(name)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}
