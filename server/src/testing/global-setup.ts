import { execFileSync } from 'node:child_process';
import { appendFile, readFile } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { connect } from '../platform/database/connect.ts';
import { administratorName } from '../platform/database/embedded/cluster.ts';
import type { EmbeddedPostgres } from '../platform/database/embedded/postgres.ts';
import { startEmbeddedPostgres } from '../platform/database/embedded/postgres.ts';
import { readPostmasterFile } from '../platform/database/embedded/postmaster-file.ts';
import { migrate } from '../platform/database/migrate.ts';
import { administer } from './database.ts';
import { silentLog } from './log.ts';
import { copyDataFolder } from './made-data.ts';
import { processorMsOf } from './processor-time.ts';
import { makeRunFolder } from './run-folder.ts';
import { endWithParent, guardRun } from './run-guard.ts';

const template = 'earshot_template';

/**
 * The programs that analyse sound run with the niceness 10. Tests that wait for them would wait for all other tests, so
 * these run with almost the same; not with the same, because a test checks that the programs lower their priority.
 */
const niceness = 9;

const urlFor = ({ connection: { host } }: EmbeddedPostgres, user: string, password: string): string =>
  `postgres://${user}:${password}@localhost/postgres?host=${encodeURIComponent(host)}`;

async function asAdministrator(postgres: EmbeddedPostgres, dataDir: string, statement: string): Promise<void> {
  const password = (await readFile(join(dataDir, 'postgres', 'password'), 'utf8')).trim();
  await administer(urlFor(postgres, administratorName, password), statement);
}

/**
 * Creates the PostgreSQL of a data folder with all migrations, and stops it. Its shared memory is in its folder, where
 * nothing is left of one that a test kills.
 */
async function makeDatabase(dataDir: string, isLarge: boolean): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, isDisposable: true });
  await asAdministrator(postgres, dataDir, `alter system set dynamic_shared_memory_type = 'mmap'`);
  // Applies to the password that each start sets: a client hashes it so often for each of a run's thousands of connections.
  await asAdministrator(postgres, dataDir, `alter system set scram_iterations = 1`);
  // Hundreds of small databases that live for seconds, each of which it would visit.
  if (!isLarge) await asAdministrator(postgres, dataDir, `alter system set autovacuum = off`);
  const db = connect(postgres.connection, { connections: 1, name: 'earshot tests' });
  await migrate(db, fileURLToPath(new URL('../../migrations', import.meta.url)), silentLog);
  await db.end();
  await postgres.stop();
}

/** One PostgreSQL for a whole run, with a migrated database that each test clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  endWithParent();
  // Inherited by the workers and by all that they start.
  if (getPriority() < niceness) setPriority(niceness);
  // A node serves the console as it was built.
  const build = fileURLToPath(new URL('../../../scripts/build.mjs', import.meta.url));
  execFileSync(process.execPath, [build, '--if-needed'], { stdio: 'inherit' });
  const isLarge = project.config.include.some((files) => files.includes('.long.'));
  const folder = await makeRunFolder({ isLarge });
  const endGuarded = guardRun(folder);
  // Where `tmpdir` points, here and in the workers and programs of the run.
  process.env['TMPDIR'] = folder;
  const madeDataDir = join(folder, 'made');
  const dataDir = join(folder, 'data');
  await makeDatabase(madeDataDir, isLarge);
  await copyDataFolder(madeDataDir, dataDir);
  // Nothing here outlives the run: what survives a crash is tested with a database of its own.
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, isDisposable: true });
  const { username, password, database } = postgres.connection;
  await asAdministrator(postgres, dataDir, `alter role ${username} createdb`);
  const url = urlFor(postgres, username, password);
  await administer(url, `create database ${template} template ${database}`);
  project.provide('postgres', { url, template, madeDataDir });
  return async () => {
    await noteCostOfDatabase(dataDir);
    await postgres.stop();
    await endGuarded();
  };
}

/** For `npm test -- --costs`. The connections have ended, so their processor time is counted with PostgreSQL's own. */
async function noteCostOfDatabase(dataDir: string): Promise<void> {
  const list = process.env['EARSHOT_TEST_COSTS'];
  const postmaster = await readPostmasterFile(join(dataDir, 'postgres', 'cluster'));
  if (list === undefined || postmaster === undefined) return;
  const ms = processorMsOf(await readFile(`/proc/${postmaster.pid}/stat`, 'utf8'));
  await appendFile(list, `${JSON.stringify({ name: 'PostgreSQL', ms })}\n`);
}
