import type { Postmaster } from './postmaster.ts';
import { readLivePostmaster } from './postmaster-file.ts';
import { findPostgresOf, sendSignal } from './processes.ts';
import { pollFor } from './waiting.ts';

/** Time limit of an orderly shutdown, which writes everything to disk. */
const shutdownMs = 3000;
/** Time in which the children of a dead postmaster notice its death. */
const orphanExitMs = 1000;
/** Time limit after SIGQUIT or SIGKILL. */
const forcedExitMs = 1000;

/** PostgreSQL's "fast" shutdown: closes sessions, writes everything to disk, leaves no process running. */
export async function shutDown(postmaster: Postmaster, cluster: string): Promise<void> {
  if (await postmaster.isAlive()) sendSignal(postmaster.pid, 'SIGINT');
  const findRemaining = async () => {
    const pids = await findPostgresOf(cluster);
    // Right after its start the working directory is not yet the cluster's folder.
    return (await postmaster.isAlive()) ? [...new Set([postmaster.pid, ...pids])] : pids;
  };
  await waitOrKill(findRemaining, shutdownMs);
}

/**
 * Waits for the children of a dead postmaster, because a new postmaster cannot start beside them. An idle child exits
 * at once; a child that is busy with a client's query does not.
 */
export async function endLeftovers(cluster: string, signal: AbortSignal): Promise<void> {
  const isShuttingDown = (await readLivePostmaster(cluster)) !== undefined;
  await waitOrKill(() => findPostgresOf(cluster), isShuttingDown ? shutdownMs : orphanExitMs, signal);
}

/**
 *   wait ──timeout──▶ SIGQUIT: end at once, recover at the next start ──▶ SIGKILL ──▶ error
 *
 * Every step is safe for the data: acknowledged changes are in the write-ahead log.
 */
async function waitOrKill(
  findRemaining: () => Promise<number[]>,
  graceMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const areGone = async () => (await findRemaining()).length === 0 || undefined;
  if (await pollFor(areGone, { boundMs: graceMs, everyMs: 50, signal })) return;
  for (const signalName of ['SIGQUIT', 'SIGKILL'] as const) {
    for (const pid of await findRemaining()) sendSignal(pid, signalName);
    if (await pollFor(areGone, { boundMs: forcedExitMs, everyMs: 50, signal })) return;
  }
  throw new Error(`PostgreSQL processes do not exit: ${(await findRemaining()).join(', ')}`);
}
