import { createGzip } from 'node:zlib';
import type { Readable } from 'node:stream';
import { Readable as ReadableStream } from 'node:stream';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { listSequences, listTables, quoted } from './catalog.ts';
import type { BackupManifest, SavedTable } from './format.ts';
import { tablePath } from './format.ts';
import type { BackupTarget } from './target.ts';
import { hashed } from './target.ts';

export interface TableProgress {
  (table: string, done: number, all: number): void;
}

/** Begins a transaction that sees the database as it is now, until it ends. */
export async function beginSnapshot(client: Client): Promise<void> {
  await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0');
  await client.query('begin isolation level repeatable read read only');
}

/** Saves the rows of all tables as the snapshot sees them. */
export async function saveTables(
  client: Client,
  target: BackupTarget,
  id: string,
  isPassing: ReadonlySet<string>,
  onProgress: TableProgress,
): Promise<Pick<BackupManifest, 'tables' | 'sequences' | 'migrations' | 'postgresVersion'>> {
  const all = (await listTables(client)).filter(({ name }) => !isPassing.has(name));
  const tables: SavedTable[] = [];
  for (const { name, columns } of all) {
    onProgress(name, tables.length, all.length);
    const list = columns.map(quoted).join(', ');
    const rows = client.query(copyTo(`copy (select ${list} from ${quoted(name)}) to stdout`));
    let sha256 = '';
    const counted = hashed(rows as Readable, (hash) => (sha256 = hash));
    await target.put(tablePath(id, name), compress(counted));
    tables.push({ name, columns, rows: rows.rowCount, sha256 });
  }
  const { rows: migrations } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations order by number',
  );
  const { rows: versions } = await client.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  );
  // Values that were given out after the snapshot do no harm: keys are never used again.
  const sequences = await listSequences(client);
  return { tables, sequences, migrations, postgresVersion: versions[0]?.version ?? '' };
}

/** The errors of a source reach the reader. */
export function compress(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const from = ReadableStream.from(source);
  const gzip = createGzip({ level: 4 });
  from.on('error', (error) => gzip.destroy(error));
  return from.pipe(gzip);
}
