/** Linux counts in hundredths of a second for programs, whatever the kernel's own clock is. */
const msPerTick = 10;
/** In /proc/<pid>/stat after the name of the program: user and system time, and those of its children that have ended. */
const firstTime = 11;
const times = 4;

/** The processor time of a process and of its children that have ended, from its file `stat`. */
export function processorMsOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(firstTime, firstTime + times).map(Number);
  return ticks.reduce((sum, each) => sum + each, 0) * msPerTick;
}
