import type { EmbeddedEngine } from '@earshot/server/platform/listening/embedded-engine';
import type { Captions } from '@earshot/server/platform/listening/engine';
import { asSound } from '@earshot/server/testing/speech';
import { cpuSeconds } from './process-use.ts';

/** What an engine has used since the start of a measurement. */
export interface Use {
  readonly soundSeconds: number;
  readonly cpuSeconds: number;
}

export interface Listener {
  readonly caption: (samples: Float32Array) => Promise<Captions>;
  /** Ends the measurement and begins the next one. */
  readonly takeUse: () => Use;
}

const never = new AbortController().signal;

/**
 * Counts the CPU time of the engine's processes while they transcribe for this listener: several may share an engine.
 * `languages`: those that are set as spoken.
 */
export function createListener(engine: EmbeddedEngine, languages: readonly string[] = []): Listener {
  let soundSeconds = 0;
  let cpu = 0;
  return {
    async caption(samples) {
      const before = new Map(engine.pids.map((pid) => [pid, cpuSeconds(pid)]));
      const captions = await engine.caption(asSound(samples), { signal: never, languages });
      // Loading the models of a new process does not count.
      for (const pid of engine.pids) cpu += cpuSeconds(pid) - (before.get(pid) ?? cpuSeconds(pid));
      soundSeconds += samples.length / 16_000;
      return captions;
    },
    takeUse() {
      const use = { soundSeconds, cpuSeconds: cpu };
      [soundSeconds, cpu] = [0, 0];
      return use;
    },
  };
}
