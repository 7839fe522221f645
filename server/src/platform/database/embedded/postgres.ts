import { applicationName, ensureApplicationDatabase } from './application-database.ts';
import { ensureCluster } from './cluster.ts';
import { shutDown } from './ending.ts';
import type { PostgresInstallation } from './installation.ts';
import { prepareInstallation } from './installation.ts';
import type { Log } from '../../log.ts';
import { startLoop } from '../../loop.ts';
import { readPasswords } from './passwords.ts';
import { prepareDatabasePaths } from './paths.ts';
import type { Postmaster } from './postmaster.ts';
import { readLivePostmaster } from './postmaster-file.ts';
import { findPostgresOf } from './processes.ts';
import { limitServerLog } from './server-log.ts';
import { serveCluster } from './serving.ts';
import { port, removeTemporaryFolder, settleSocketFolder } from './socket-folder.ts';
import { superviseCluster } from './supervisor.ts';

const logCheckMs = 3_600_000;

export interface EmbeddedPostgres {
  readonly connection: {
    /** The folder of the socket; there is no TCP port. */
    readonly host: string;
    readonly port: number;
    readonly database: string;
    readonly username: string;
    readonly password: string;
  };
  /** Stops PostgreSQL within seconds; further calls wait for the same stop. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log: Log;
  /** Nobody needs the data after a crash of the machine, so nothing waits for the disk. */
  readonly isDisposable?: boolean;
  /** Aborts the start and leaves no process running. After the start, use `stop`. */
  readonly signal?: AbortSignal | undefined;
}

/** How to connect to the PostgreSQL that another process runs in a data folder; undefined if none is running. */
export async function connectionOfRunning(dataDir: string): Promise<EmbeddedPostgres['connection'] | undefined> {
  const paths = await prepareDatabasePaths(dataDir);
  const live = await readLivePostmaster(paths.cluster);
  const passwords = await readPasswords(paths);
  if (live === undefined || live.socketFolder === '' || passwords === undefined) return undefined;
  return connectionIn(live.socketFolder, passwords.application);
}

const connectionIn = (socketFolder: string, password: string): EmbeddedPostgres['connection'] => ({
  host: socketFolder,
  port,
  database: applicationName,
  username: applicationName,
  password,
});

/**
 * Runs the PostgreSQL of a data folder, creates it on the first start, and keeps it running until stopped. The caller
 * holds the data folder's lock.
 */
export async function startEmbeddedPostgres({
  dataDir,
  log,
  isDisposable = false,
  signal,
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const starting = signal ?? new AbortController().signal;
  const installation = await prepareInstallation(dataDir, isDisposable, starting);
  await ensureCluster(installation, log, starting);
  const socketFolder = await settleSocketFolder(installation, starting);
  try {
    const postmaster = await serveApplication(installation, socketFolder, log, starting);
    return keepRunning(installation, socketFolder, postmaster, log);
  } catch (error) {
    const isDeserted = (await findPostgresOf(installation.paths.cluster)).length === 0;
    if (isDeserted) await removeTemporaryFolder(socketFolder);
    throw error;
  }
}

async function serveApplication(
  installation: PostgresInstallation,
  socketFolder: string,
  log: Log,
  signal: AbortSignal,
): Promise<Postmaster> {
  const { paths, passwords } = installation;
  const postmaster = await serveCluster(installation, socketFolder, log, signal);
  try {
    const access = { socketFolder, password: passwords.administrator };
    await ensureApplicationDatabase(access, passwords.application, signal);
    return postmaster;
  } catch (error) {
    await shutDown(postmaster, paths.cluster);
    throw error;
  }
}

function keepRunning(
  installation: PostgresInstallation,
  socketFolder: string,
  first: Postmaster,
  log: Log,
): EmbeddedPostgres {
  const stopping = new AbortController();
  const restart = (signal: AbortSignal) => serveCluster(installation, socketFolder, log, signal);
  const supervision = superviseCluster({ first, restart, log }, stopping.signal);
  const { paths, runAs } = installation;
  const stopLimit = startLoop('log of PostgreSQL', logCheckMs, () => limitServerLog(paths.log, runAs), log);
  const end = async () => {
    stopping.abort();
    await stopLimit();
    await shutDown(await supervision, paths.cluster);
    await removeTemporaryFolder(socketFolder);
    log.info({}, 'PostgreSQL has stopped');
  };
  let ended: Promise<void> | undefined;
  return {
    connection: connectionIn(socketFolder, installation.passwords.application),
    stop: () => (ended ??= end()),
  };
}
