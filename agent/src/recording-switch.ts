import { readFile, rm, writeFile } from 'node:fs/promises';
import { createSignal } from './loop.ts';

export type RecordingSwitch = Awaited<ReturnType<typeof createRecordingSwitch>>;

/** Whether this agent records; kept in a file, so that a restart does not change it. */
export async function createRecordingSwitch(stoppedFile: string) {
  let isOn = (await readFile(stoppedFile, 'utf8').catch(() => undefined)) === undefined;
  let current: AbortController | undefined;
  const changed = createSignal();
  return {
    get isOn() {
      return isOn;
    },
    async set(on: boolean): Promise<void> {
      if (on) await rm(stoppedFile, { force: true });
      else await writeFile(stoppedFile, 'Recording was stopped by an event.\n');
      isOn = on;
      if (!on) current?.abort();
      changed.set();
    },
    async whileOn(signal: AbortSignal, record: (stop: AbortSignal) => Promise<void>): Promise<void> {
      if (!isOn) return changed.wait(60_000, signal);
      const stop = new AbortController();
      current = stop;
      const abort = () => stop.abort();
      signal.addEventListener('abort', abort, { once: true });
      try {
        await record(stop.signal);
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
  };
}
