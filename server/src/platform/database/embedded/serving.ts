import { setTimeout as sleep } from 'node:timers/promises';

import type { AdministratorAccess } from './administrator.ts';
import { tryAdministrator } from './administrator.ts';
import { endLeftovers, shutDown } from './ending.ts';
import type { PostgresInstallation } from './installation.ts';
import type { Log } from '../../log.ts';
import type { Postmaster } from './postmaster.ts';
import { adoptPostmaster, launchPostmaster } from './postmaster.ts';
import { clearMisleadingFiles, readLivePostmaster, readPostmasterFile } from './postmaster-file.ts';
import { socketLockIn } from './socket-folder.ts';
import { pollFor } from './waiting.ts';

/** Recovery after a crash takes seconds, on a slow disk minutes. */
const recoveryBoundMs = 600_000;
const answerBoundMs = 20_000;
const leftoverBoundMs = 20_000;

/** PostgreSQL's messages if something of a killed postmaster is left. */
const leftoverReason = /pre-existing shared memory|lock file .* (already exists|is empty)/;

const refusedCodes: ReadonlySet<unknown> = new Set(['28P01', '28000']);

/**
 * Starts the cluster and waits until it answers: takes over the postmaster that a crashed server process left running,
 * or launches a new one.
 */
export async function serveCluster(
  installation: PostgresInstallation,
  socketFolder: string,
  log: Log,
  signal: AbortSignal,
): Promise<Postmaster> {
  const deadline = performance.now() + leftoverBoundMs;
  for (;;) {
    const postmaster = (await findOrphan(installation)) ?? (await launchAlone(installation, socketFolder, signal));
    if (await awaitAnswer(installation, postmaster, socketFolder, log, signal)) return postmaster;
    const reason = await postmaster.readExitReason();
    const mayRetry = postmaster.adopted || leftoverReason.test(reason);
    if (!mayRetry || performance.now() > deadline) throw new Error(`PostgreSQL did not start: ${reason}`);
    log.warn({ pid: postmaster.pid, reason }, 'PostgreSQL has not started yet; retrying');
    await sleep(250, undefined, { signal });
  }
}

async function findOrphan({ paths }: PostgresInstallation): Promise<Postmaster | undefined> {
  const live = await readLivePostmaster(paths.cluster);
  return live === undefined || live.status === 'stopping' ? undefined : adoptPostmaster(paths.cluster, live.pid);
}

async function launchAlone(
  installation: PostgresInstallation,
  socketFolder: string,
  signal: AbortSignal,
): Promise<Postmaster> {
  await endLeftovers(installation.paths.cluster, signal);
  await clearMisleadingFiles(installation.paths.cluster, socketLockIn(socketFolder));
  return launchPostmaster(installation, socketFolder);
}

/** False if it exited before it answered. A postmaster that does not answer is shut down. */
async function awaitAnswer(
  { paths, passwords }: PostgresInstallation,
  postmaster: Postmaster,
  socketFolder: string,
  log: Log,
  signal: AbortSignal,
): Promise<boolean> {
  const startedAt = performance.now();
  const access = { socketFolder, password: passwords.administrator };
  try {
    const answers = await waitUntilReady(paths.cluster, postmaster, access, signal);
    const fields = { pid: postmaster.pid, durationMs: Math.round(performance.now() - startedAt) };
    if (answers && postmaster.adopted)
      log.warn(fields, 'took over the PostgreSQL that a crashed server process left running');
    else if (answers) log.info(fields, 'PostgreSQL is running');
    return answers;
  } catch (error) {
    // An orphan that refuses the password may belong to another program.
    if (!postmaster.adopted || signal.aborted) await shutDown(postmaster, paths.cluster);
    throw error;
  }
}

/**
 * Polls the status line in postmaster.pid, which is cheap, to know when connecting makes sense. Only a connection
 * proves that the server answers and accepts the password.
 */
async function waitUntilReady(
  cluster: string,
  postmaster: Postmaster,
  access: AdministratorAccess,
  signal: AbortSignal,
): Promise<boolean> {
  let readySince: number | undefined;
  const outcome = await pollFor(
    async () => {
      if (!(await postmaster.isAlive())) return false;
      const file = await readPostmasterFile(cluster);
      if (file?.pid !== postmaster.pid || file.status !== 'ready') return undefined;
      readySince ??= performance.now();
      const failure = await tryAdministrator(access, signal);
      if (failure === undefined) return true;
      throwIfFinal(failure, postmaster.pid, access.socketFolder, performance.now() - readySince);
      return undefined;
    },
    { boundMs: recoveryBoundMs, everyMs: 20, signal },
  );
  if (outcome === undefined) throw new Error(`PostgreSQL was not ready within ${recoveryBoundMs / 60_000} minutes`);
  return outcome;
}

function throwIfFinal(failure: Error, pid: number, socketFolder: string, triedMs: number): void {
  if ('code' in failure && refusedCodes.has(failure.code)) {
    throw new Error(`PostgreSQL (process ${pid}) does not accept the password of this data folder: ${failure.message}`);
  }
  if (triedMs < answerBoundMs) return;
  throw new Error(
    `PostgreSQL (process ${pid}) does not answer at ${socketFolder}: ${failure.message}; end it with kill -INT ${pid} and start again`,
  );
}
