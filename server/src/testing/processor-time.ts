import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second for programs, whatever the kernel's own clock is. */
const msPerTick = 10;
/** In /proc/<pid>/stat after the name of the program: its parent. */
const parentAt = 1;
/** There too: user and system time, and those of its children that have ended. */
const firstTime = 11;
const times = 4;

const fieldsOf = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ');

/** The processor time of a process and of its children that have ended, from its file `stat`. */
export function processorMsOf(stat: string): number {
  const ticks = fieldsOf(stat)
    .slice(firstTime, firstTime + times)
    .map(Number);
  return ticks.reduce((sum, each) => sum + each, 0) * msPerTick;
}

/** The processor time of a process and of all processes below it, from the file `stat` of every process. */
export function processorMsBelow(pid: number, stats: ReadonlyMap<number, string>): number {
  const children = [...stats].filter(([, stat]) => Number(fieldsOf(stat)[parentAt]) === pid);
  const ofChildren = children.map(([child]) => processorMsBelow(child, stats));
  return ofChildren.reduce((sum, each) => sum + each, processorMsOf(stats.get(pid) ?? ''));
}

/** The file `stat` of every process of this machine. */
export function readProcesses(): Map<number, string> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return new Map(pids.flatMap((pid) => readStat(pid).map((stat) => [Number(pid), stat] as const)));
}

/** None if the process has just ended. */
function readStat(pid: string): string[] {
  try {
    return [readFileSync(`/proc/${pid}/stat`, 'utf8')];
  } catch {
    return [];
  }
}
