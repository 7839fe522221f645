import { readFile, readdir, stat } from 'node:fs/promises';

/**
 * Whether the process is a PostgreSQL process of that cluster. Each of them works in its cluster's folder, so the
 * working directory distinguishes it from another program that got the same process id later. A zombie has no working
 * directory and counts as ended.
 */
export async function isPostgresOf(cluster: string, pid: number): Promise<boolean> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  if (name.trim() !== 'postgres') return false;
  const folder = await identify(cluster);
  return folder !== undefined && folder === (await identify(`/proc/${pid}/cwd`));
}

export async function findPostgresOf(cluster: string): Promise<number[]> {
  const pids = await listProcesses();
  const ours = await Promise.all(pids.map((pid) => isPostgresOf(cluster, pid)));
  return pids.filter((_, index) => ours[index]);
}

/** Whether a process has this path among its arguments. */
export async function isNamedByProcess(path: string): Promise<boolean> {
  const pids = await listProcesses();
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return commands.some((command) => command.includes(path));
}

/** True for a zombie, too: PostgreSQL refuses to start if its pid file names one. */
export function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export function sendSignal(pid: number, signalName: NodeJS.Signals): void {
  try {
    process.kill(pid, signalName);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function listProcesses(): Promise<number[]> {
  const names = await readdir('/proc');
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

async function identify(path: string): Promise<string | undefined> {
  return stat(path, { bigint: true }).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => undefined,
  );
}
