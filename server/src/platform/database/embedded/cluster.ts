import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { PostgresInstallation } from './installation.ts';
import type { Log } from '../../log.ts';
import type { DatabasePaths } from './paths.ts';
import { isCluster } from './paths.ts';
import { isNamedByProcess } from './processes.ts';
import { findErrorLine, runProgram } from './run-program.ts';

export const administratorName = 'postgres';

const initdbBoundMs = 120_000;

const namelessUser = /could not look up effective user ID/;

/** Creates the cluster on the first start; later starts find it. */
export async function ensureCluster(installation: PostgresInstallation, log: Log, signal: AbortSignal): Promise<void> {
  const { paths } = installation;
  await sweepUnfinished(paths, log);
  if (await isCluster(paths.cluster)) return;
  const startedAt = performance.now();
  // Created under another name and renamed when complete, so that `cluster` is never incomplete.
  const unfinished = `${paths.cluster}.new-${randomBytes(6).toString('hex')}`;
  try {
    await runInitdb(installation, unfinished, signal);
    await moveIntoPlace(unfinished, paths);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
  log.info(
    { folder: paths.cluster, durationMs: Math.round(performance.now() - startedAt) },
    'the database was created',
  );
}

async function runInitdb(
  { paths, binaries, runAs }: PostgresInstallation,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const args = [
    `--pgdata=${folder}`,
    `--username=${administratorName}`,
    `--pwfile=${paths.password}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ];
  const bounds = { boundMs: initdbBoundMs, signal };
  let finished = await runProgram(runAs, binaries.initdb, args, bounds);
  // initdb is the only program that requires its user to have a name, which the user of a container often lacks. In a
  // user namespace it runs as `nobody`, who has one.
  if (namelessUser.test(finished.output)) {
    finished = await runProgram({ ...runAs, namespace: true }, binaries.initdb, args, bounds);
    if (finished.exitCode === 0) return;
    throw new Error(
      `PostgreSQL cannot create its database as user ${runAs.uid}, which has no name: ` +
        'give the user an entry in /etc/passwd, or set EARSHOT_DATABASE_URL',
    );
  }
  if (finished.exitCode !== 0)
    throw new Error(`PostgreSQL could not create its database: ${findErrorLine(finished.output)}`);
}

async function moveIntoPlace(unfinished: string, { home, cluster }: DatabasePaths): Promise<void> {
  try {
    await rename(unfinished, cluster);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    throw new Error(
      `the folder ${cluster} contains something other than a PostgreSQL database; move it to another place`,
      {
        cause: error,
      },
    );
  }
  // A rename survives a power cut only after its parent folder is synced.
  const folder = await open(home);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Removes the folders of interrupted starts, unless a process still uses them. */
async function sweepUnfinished({ home }: DatabasePaths, log: Log): Promise<void> {
  const names = await readdir(home);
  for (const name of names.filter((each) => /^(cluster|password)\.new-/.test(each))) {
    const path = join(home, name);
    if (await isNamedByProcess(path)) continue;
    await rm(path, { recursive: true, force: true });
    log.info({ path }, 'removed the incomplete database of an interrupted start');
  }
}
