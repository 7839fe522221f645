/*
 * What a worker of the test run keeps from one test file to the next is stopped by the environment (environment.ts), which
 * lives as long as the worker. The two are loaded apart from each other, so they meet in a global variable.
 */

type Stop = () => Promise<void>;

const holder = globalThis as { earshotStops?: Stop[] };

export function stopAtWorkerEnd(stop: Stop): void {
  holder.earshotStops = [...(holder.earshotStops ?? []), stop];
}

/** The last first: it may use what was there before it. */
export async function endWorker(): Promise<void> {
  const stops = holder.earshotStops ?? [];
  holder.earshotStops = [];
  for (const stop of stops.toReversed()) await stop();
}
