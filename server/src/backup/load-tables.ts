import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { readMigrations } from '../platform/database/migrate.ts';
import { splitStatements } from '../platform/database/sql-statements.ts';
import { listLoadHindrances, listTables, quoted, setSequence } from './catalog.ts';
import type { BackupManifest, SavedTable } from './format.ts';
import { BackupFault, tablePath } from './format.ts';
import { damaged, decompress } from './save-files.ts';
import type { TableProgress } from './save-tables.ts';
import type { BackupTarget } from './target.ts';
import { hashed } from './target.ts';

/** Throws if the database has tables. */
export async function requireEmpty(client: Client): Promise<void> {
  const [table] = await listTables(client);
  if (table === undefined) return;
  throw new BackupFault(
    `the database is not empty (it has the table ${table.name}); restore to an empty database, or to another EARSHOT_DATA_DIR`,
  );
}

/** Creates the tables as they were when the backup was made, and loads their rows, in the transaction of the client. */
export async function loadTables(
  client: Client,
  target: BackupTarget,
  manifest: BackupManifest,
  migrationsDir: string,
  onProgress: TableProgress,
): Promise<void> {
  await applyMigrations(client, manifest, migrationsDir);
  const tables = await listTables(client);
  // Migrations insert rows too, and those of the backup replace them.
  const emptied = tables.filter(({ name }) => name !== 'schema_migrations' && name !== 'change_sweep');
  await client.query(`truncate ${emptied.map(({ name }) => quoted(name)).join(', ')}`);
  const hindrances = await listLoadHindrances(client);
  for (const { drop } of hindrances) await client.query(drop);
  for (const { name } of tables) await client.query(`alter table ${quoted(name)} disable trigger user`);
  for (const [index, table] of manifest.tables.entries()) {
    onProgress(table.name, index, manifest.tables.length);
    requireColumns(table, tables.find(({ name }) => name === table.name)?.columns);
    await loadTable(client, target, manifest.id, table);
  }
  for (const { name } of tables) await client.query(`alter table ${quoted(name)} enable trigger user`);
  for (const { create } of hindrances.toReversed()) await client.query(create);
  for (const sequence of manifest.sequences) await setSequence(client, sequence);
  // Positions in the log of changes that readers got before are of another database: they begin again.
  await client.query('update change_sweep set xid = pg_snapshot_xmax(pg_current_snapshot()), key = 0');
}

/** A backup can be older than this version, but not newer. */
async function applyMigrations(client: Client, { migrations, earshotVersion }: BackupManifest, folder: string) {
  const known = await readMigrations(folder);
  for (const [index, { name, sha256 }] of migrations.entries()) {
    const own = known[index];
    if (own?.name !== name || own.sha256 !== sha256) {
      throw new BackupFault(
        `the backup was made by Earshot ${earshotVersion}, whose database has the change ${name}, which this version does not know; restore it with that version or a later one`,
      );
    }
  }
  await client.query(`
    create table schema_migrations (
      number integer primary key, name text not null, sha256 text not null, applied_date timestamptz not null default now())`);
  for (const { number, name, sha256, sql } of known.slice(0, migrations.length)) {
    for (const statement of splitStatements(sql)) await client.query(statement);
    await client.query('insert into schema_migrations (number, name, sha256) values ($1, $2, $3)', [
      number,
      name,
      sha256,
    ]);
  }
}

function requireColumns({ name, columns }: SavedTable, own: readonly string[] = []): void {
  const missing = columns.find((column) => !own.includes(column));
  if (missing === undefined) return;
  throw new BackupFault(`the backup has a column ${name}.${missing} that its version of the database does not have`);
}

async function loadTable(client: Client, target: BackupTarget, id: string, table: SavedTable): Promise<void> {
  const path = tablePath(id, table.name);
  const columns = table.columns.map(quoted).join(', ');
  const rows = client.query(copyFrom(`copy ${quoted(table.name)} (${columns}) from stdin`));
  let sha256 = '';
  // Checked before the last bytes are sent: PostgreSQL would describe damaged rows in words of its own.
  async function* checked() {
    yield* hashed(decompress(target.read(path), path) as AsyncIterable<Uint8Array>, (hash) => (sha256 = hash));
    if (sha256 !== table.sha256) throw damaged(path);
  }
  try {
    await pipeline(checked(), rows);
  } catch (error) {
    if (error instanceof BackupFault) throw error;
    throw new BackupFault(`the rows of ${table.name} cannot be loaded: ${(error as Error).message}`, { cause: error });
  }
  if (rows.rowCount !== table.rows) {
    throw new BackupFault(`${table.name} has ${rows.rowCount} rows instead of ${table.rows}`);
  }
}
