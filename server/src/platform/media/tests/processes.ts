import { readdir, readFile } from 'node:fs/promises';

/** The command lines of child processes of this process that contain a text. */
export async function childrenWith(text: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map((pid) => commandOfChild(pid)));
  return found.filter((command) => command?.includes(text) === true) as string[];
}

async function commandOfChild(pid: string): Promise<string | undefined> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const isOurs = new RegExp(`^PPid:\\s+${process.pid}$`, 'm').test(status);
    return isOurs ? (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ') : undefined;
  } catch {
    // The process has exited meanwhile.
    return undefined;
  }
}
