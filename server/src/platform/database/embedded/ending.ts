import type { Postmaster } from './postmaster.ts';
import { readLivePostmaster } from './postmaster-file.ts';
import { findPostgresOf, sendSignal } from './processes.ts';
import { pollFor } from './waiting.ts';

/** How long a shutdown may take that was asked for and writes everything out. */
const shutdownMs = 3000;
/** How long the children of a dead postmaster may take to notice. */
const noticingMs = 1000;
/** How long one may take that was told to end at once. */
const firmMs = 1000;

/** PostgreSQL's "fast" shutdown: sessions are cut, everything is written, nothing is left running. */
export async function shutDown(postmaster: Postmaster, cluster: string): Promise<void> {
  if (await postmaster.isAlive()) sendSignal(postmaster.pid, 'SIGINT');
  const findRemaining = async () => {
    const pids = await findPostgresOf(cluster);
    // In its first moments it does not work in the cluster's folder yet.
    return (await postmaster.isAlive()) ? [...new Set([postmaster.pid, ...pids])] : pids;
  };
  await seeOut(findRemaining, shutdownMs);
}

/**
 * Waits for the children of a dead postmaster, beside which no new one can start. An idle child
 * notices at once; one that a client keeps busy does not, and would go on for as long.
 */
export async function endLeftovers(cluster: string, signal: AbortSignal): Promise<void> {
  const isShuttingDown = (await readLivePostmaster(cluster)) !== undefined;
  await seeOut(() => findPostgresOf(cluster), isShuttingDown ? shutdownMs : noticingMs, signal);
}

/**
 *   left alone ──patience──▶ SIGQUIT: end at once, recover at the next start ──▶ SIGKILL ──▶ error
 *
 * Every step is safe for the data: what was acknowledged is in the write-ahead log.
 */
async function seeOut(findRemaining: () => Promise<number[]>, patienceMs: number, signal?: AbortSignal): Promise<void> {
  const areGone = async () => (await findRemaining()).length === 0 || undefined;
  if (await pollFor(areGone, { boundMs: patienceMs, everyMs: 50, signal })) return;
  for (const signalName of ['SIGQUIT', 'SIGKILL'] as const) {
    for (const pid of await findRemaining()) sendSignal(pid, signalName);
    if (await pollFor(areGone, { boundMs: firmMs, everyMs: 50, signal })) return;
  }
  throw new Error(`processes of PostgreSQL do not end: ${(await findRemaining()).join(', ')}`);
}
