import { readFile } from 'node:fs/promises';

/*
 * What a process uses, as Linux reports it. Elsewhere, and for a process that has exited, every figure is 0.
 */

/** Linux counts in hundredths of a second for programs, whatever the kernel's own clock is. */
const tickMs = 10;

/** The memory of a process that is not swapped out. */
export async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
}

/** The processor time that a process has used, of all its threads. */
export async function processorMs(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The fields after the program's name, which may contain spaces: the state, ten other fields, then user and system
  // ticks.
  const fields = stat.split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * tickMs || 0;
}
