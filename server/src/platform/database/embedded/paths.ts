import { access, mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** The paths of the embedded database, all below `<data folder>/postgres`. */
export interface DatabasePaths {
  readonly home: string;
  readonly cluster: string;
  readonly run: string;
  readonly log: string;
  readonly password: string;
}

/**
 * Creates the database folder and returns its paths with links resolved, because PostgreSQL may run as a user who
 * cannot follow the links.
 */
export async function prepareDatabasePaths(dataDir: string): Promise<DatabasePaths> {
  // The user that PostgreSQL runs as must be able to pass through the data folder, but not list it.
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  await mkdir(join(dataDir, 'postgres'), { recursive: true, mode: 0o700 });
  const home = await realpath(join(dataDir, 'postgres'));
  // postmaster.pid is read by line numbers, and this path is its second line.
  if (home.includes('\n'))
    throw new Error('the path of the data folder contains a line break: choose another EARSHOT_DATA_DIR');
  return {
    home,
    cluster: join(home, 'cluster'),
    run: join(home, 'run'),
    log: join(home, 'postgres.log'),
    password: join(home, 'password'),
  };
}

/** Whether initdb has completed in the folder. */
export async function isCluster(folder: string): Promise<boolean> {
  return access(join(folder, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
}
