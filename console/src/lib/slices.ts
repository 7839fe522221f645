/** The longest time that a slice of work may take, so that the page reacts meanwhile. */
const sliceMs = 8;

/** Ends the current task, so that the page can react before the next one. */
export const endTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Runs long work in slices. The work is a generator that yields between its steps. */
export async function runInSlices(work: Iterator<unknown>, signal: AbortSignal): Promise<void> {
  let since = performance.now();
  while (!signal.aborted && !work.next().done) {
    if (performance.now() - since < sliceMs) continue;
    await endTask();
    since = performance.now();
  }
}
