import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Installation } from './installation.ts';
import type { Log } from '../../log.ts';
import type { DatabasePaths } from './paths.ts';
import { isCluster } from './paths.ts';
import { isNamedByProcess } from './processes.ts';
import { findTellingLine, runProgram } from './run-program.ts';

export const administratorName = 'postgres';

const initdbBoundMs = 120_000;

const namelessUser = /could not look up effective user ID/;

/** Creates the cluster on the first start; later ones find it. */
export async function ensureCluster(installation: Installation, log: Log, signal: AbortSignal): Promise<void> {
  const { paths } = installation;
  await sweepUnfinished(paths, log);
  if (await isCluster(paths.cluster)) return;
  const startedAt = performance.now();
  // Built aside and renamed when complete: what is called `cluster` is never half of one.
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

async function runInitdb({ paths, binaries, runAs }: Installation, folder: string, signal: AbortSignal): Promise<void> {
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
  // initdb, and it alone, insists that its user has a name, which a container's user often lacks:
  // in a namespace it takes that user for `nobody`.
  if (namelessUser.test(finished.output)) {
    finished = await runProgram({ ...runAs, namespace: true }, binaries.initdb, args, bounds);
    if (finished.exitCode === 0) return;
    throw new Error(
      `PostgreSQL cannot create its database as user ${runAs.uid}, who has no name: ` +
        'give the user an entry in /etc/passwd, or set EARSHOT_DATABASE_URL',
    );
  }
  if (finished.exitCode !== 0)
    throw new Error(`PostgreSQL could not create its database: ${findTellingLine(finished.output)}`);
}

async function moveIntoPlace(unfinished: string, { home, cluster }: DatabasePaths): Promise<void> {
  try {
    await rename(unfinished, cluster);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    throw new Error(`the folder ${cluster} holds something other than a PostgreSQL database: move it away`, {
      cause: error,
    });
  }
  // A rename is safe from a power cut only once the folder it happened in is on the disk.
  const folder = await open(home);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** What a start left that was killed half-way, unless a process still works on it. */
async function sweepUnfinished({ home }: DatabasePaths, log: Log): Promise<void> {
  const names = await readdir(home);
  for (const name of names.filter((each) => /^(cluster|password)\.new-/.test(each))) {
    const path = join(home, name);
    if (await isNamedByProcess(path)) continue;
    await rm(path, { recursive: true, force: true });
    log.info({ path }, 'removed what an interrupted start left');
  }
}
