import { setTimeout as sleep } from 'node:timers/promises';

import { type AdministratorAccess, tryAdministrator } from './administrator.ts';
import { endLeftovers, shutDown } from './ending.ts';
import type { Installation } from './installation.ts';
import type { Log } from '../../log.ts';
import { type Postmaster, adoptPostmaster, launchPostmaster } from './postmaster.ts';
import { clearMisleadingFiles, readLivePostmaster, readPostmasterFile } from './postmaster-file.ts';
import { socketLockIn } from './socket-folder.ts';
import { pollFor } from './waiting.ts';

/** Replaying the log after a crash takes seconds, on a slow disk minutes. */
const recoveryBoundMs = 600_000;
const answerBoundMs = 20_000;
const leftoverBoundMs = 20_000;

/** PostgreSQL's words when something of a killed postmaster is still about. */
const leftoverReason = /pre-existing shared memory|lock file .* (already exists|is empty)/;

const refusedCodes: ReadonlySet<unknown> = new Set(['28P01', '28000']);

/**
 * Brings the cluster to the point of answering: takes over the postmaster that a crashed server
 * left, or launches one.
 */
export async function serveCluster(
  installation: Installation,
  socketFolder: string,
  log: Log,
  signal: AbortSignal,
): Promise<Postmaster> {
  const deadline = performance.now() + leftoverBoundMs;
  for (;;) {
    const postmaster = (await findOrphan(installation)) ?? (await launchAlone(installation, socketFolder, signal));
    if (await awaitAnswer(installation, postmaster, socketFolder, log, signal)) return postmaster;
    const reason = await postmaster.readLastWords();
    const mayRetry = postmaster.adopted || leftoverReason.test(reason);
    if (!mayRetry || performance.now() > deadline) throw new Error(`PostgreSQL did not start: ${reason}`);
    log.warn({ pid: postmaster.pid, reason }, 'PostgreSQL did not start yet; trying again');
    await sleep(250, undefined, { signal });
  }
}

async function findOrphan({ paths }: Installation): Promise<Postmaster | undefined> {
  const live = await readLivePostmaster(paths.cluster);
  return live === undefined || live.status === 'stopping' ? undefined : adoptPostmaster(paths.cluster, live.pid);
}

async function launchAlone(installation: Installation, socketFolder: string, signal: AbortSignal): Promise<Postmaster> {
  await endLeftovers(installation.paths.cluster, signal);
  await clearMisleadingFiles(installation.paths.cluster, socketLockIn(socketFolder));
  return launchPostmaster(installation, socketFolder);
}

/** False when it ended before it answered. What cannot be brought to answer is not left running. */
async function awaitAnswer(
  { paths, passwords }: Installation,
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
    if (answers && postmaster.adopted) log.warn(fields, 'took over the PostgreSQL that an earlier server left running');
    else if (answers) log.info(fields, 'PostgreSQL is running');
    return answers;
  } catch (error) {
    // An orphan that does not take our password may be at work for someone else.
    if (!postmaster.adopted || signal.aborted) await shutDown(postmaster, paths.cluster);
    throw error;
  }
}

/**
 * The status line in postmaster.pid is cheap to watch and says when trying to connect makes
 * sense; a connection alone proves that the server answers and takes our password.
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
      rejectHopeless(failure, postmaster.pid, access.socketFolder, performance.now() - readySince);
      return undefined;
    },
    { boundMs: recoveryBoundMs, everyMs: 20, signal },
  );
  if (outcome === undefined) throw new Error(`PostgreSQL was not ready within ${recoveryBoundMs / 60_000} minutes`);
  return outcome;
}

function rejectHopeless(failure: Error, pid: number, socketFolder: string, triedMs: number): void {
  if ('code' in failure && refusedCodes.has(failure.code)) {
    throw new Error(`PostgreSQL (process ${pid}) does not take the password of this data folder: ${failure.message}`);
  }
  if (triedMs < answerBoundMs) return;
  throw new Error(
    `PostgreSQL (process ${pid}) does not answer at ${socketFolder}: ${failure.message}; end it with kill -INT ${pid} and start again`,
  );
}
