import type { Client } from 'pg';
import { storedName } from '../features/agent/release/programs.ts';

/** What is stored under a name, as the database knows it. */
export interface StoredRecord {
  readonly name: string;
  readonly size: number;
  readonly sha256: string | null;
  /** For messages. */
  readonly label: string;
}

/** The available files and the programs for devices. A database of an older version has no programs. */
export async function listStored(client: Client): Promise<StoredRecord[]> {
  const { rows: files } = await client.query<StoredRecord>(`
    select storage_name::text as name, file_size::float8 as size, sha256_hash as sha256, 'file ' || key as label
    from files where file_status = 1 order by key`);
  const { rows: tables } = await client.query(`select 1 where to_regclass('agent_releases') is not null`);
  if (tables.length === 0) return files;
  const { rows: programs } = await client.query<{ sha256: string; size: number; version: string }>(
    'select sha256, file_size::float8 as size, version from agent_releases order by sha256',
  );
  return [
    ...files,
    ...programs.map(({ sha256, size, version }) => ({
      name: storedName(sha256),
      size,
      sha256,
      label: `program of version ${version}`,
    })),
  ];
}
