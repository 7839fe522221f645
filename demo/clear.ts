import { readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoPlace } from './state.ts';
import { readDemoState } from './state.ts';

const longestStopMs = 20_000;

/** Stops what the demo has left running and removes its folder. Returns whether there was a demo. */
export async function clearDemo(place: DemoPlace): Promise<boolean> {
  const { checkout, folder } = place;
  const state = await readDemoState(place);
  // The demo stops its server by itself; a demo that was killed leaves the server, and a killed server its database.
  await stopProcess(state?.demoPid, checkout, 'SIGTERM');
  await stopProcess(state?.serverPid, checkout, 'SIGTERM');
  const database = await readFile(join(folder, 'server/postgres/cluster/postmaster.pid'), 'utf8').catch(() => '');
  await stopProcess(Number(database.split('\n')[0]) || undefined, folder, 'SIGINT');
  await rm(folder, { recursive: true, force: true });
  return state !== undefined;
}

/** Stops a process, if it is still the demo's: its number may belong to another program by now. */
async function stopProcess(pid: number | undefined, folder: string, signal: NodeJS.Signals): Promise<void> {
  if (pid === undefined || !(await isWithin(pid, folder))) return;
  process.kill(pid, signal);
  for (let waitedMs = 0; waitedMs < longestStopMs && (await isWithin(pid, folder)); waitedMs += 100) await sleep(100);
}

/** Whether a process works in a folder or names it in its command line. */
async function isWithin(pid: number, folder: string): Promise<boolean> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const workFolder = await readlink(`/proc/${pid}/cwd`).catch(() => '');
  return commandLine.includes(folder) || workFolder.startsWith(folder);
}
