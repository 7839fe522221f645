import { createHash } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Log } from '../platform/log.ts';
import type { Storage } from '../platform/storage/storage.ts';
import { openStorage } from '../platform/storage/storage.ts';
import { openDatabase } from './database.ts';
import { requireInstallation } from './installation.ts';
import type { StoredRecord } from './stored-files.ts';
import { listStored } from './stored-files.ts';

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

/** Compares the records of files with the stored bytes. The server may run meanwhile. */
export async function verifyInstallation(options: VerifyOptions): Promise<VerifyReport> {
  const { config, log, hashShare, onProgress = () => {} } = options;
  const storage = openStorage({ ...config.storage, dataDir: config.dataDir });
  await requireInstallation(config);
  const database = await openDatabase(config, log);
  try {
    const client = await database.connect();
    await client.query('set statement_timeout = 0');
    // Every name that a record knows, available or not, or that is to be removed.
    const isKnown = async (name: string): Promise<boolean> => {
      const { rows } = await client.query(
        'select 1 from files where storage_name::text = $1 union all select 1 from removed_files where storage_name::text = $1',
        [name.replace(/-peaks$/, '')],
      );
      return rows.length > 0;
    };
    // Listed first: what is stored after this has a record by then, or is an upload in progress.
    const stored: string[] = [];
    for await (const { name } of storage.list()) stored.push(name);
    const records = await listStored(client);
    const checked = await checkRecords(storage, records, hashShare, onProgress);
    // A file that was removed meanwhile is no fault.
    const there = new Set((await listStored(client)).map(({ name }) => name));
    const faults = checked.faults.filter(({ name }) => there.has(name)).map(({ text }) => text);
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
  readonly name: string;
  readonly text: string;
}

async function checkRecords(
  storage: Storage,
  records: readonly StoredRecord[],
  hashShare: number,
  onProgress: (done: number, all: number) => void,
): Promise<{ hashed: number; compared: number; faults: readonly FileFault[] }> {
  const faults: FileFault[] = [];
  let hashed = 0;
  let compared = 0;
  for (const [index, record] of records.entries()) {
    const { name, size, sha256, label } = record;
    const found = await storage.sizeOf(name);
    if (found === undefined) faults.push({ name, text: `${label}: its bytes (${name}) are missing` });
    else if (found !== size) faults.push({ name, text: `${label}: ${name} has ${found} bytes instead of ${size}` });
    else if (Math.random() < hashShare) {
      const actual = await hashStored(storage, name);
      hashed += 1;
      if (sha256 !== null) compared += 1;
      if (sha256 !== null && actual !== sha256) {
        faults.push({ name, text: `${label}: ${name} has the SHA-256 ${actual} instead of ${sha256}` });
      }
    }
    onProgress(index + 1, records.length);
  }
  return { hashed, compared, faults };
}

async function hashStored(storage: Storage, name: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await storage.read(name)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}
