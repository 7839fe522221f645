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

/** Counts the CPU time of the engine's processes. */
export function createListener(engine: EmbeddedEngine): Listener {
  const counted = new Map<number, number>();
  let soundSeconds = 0;
  let cpu = 0;
  const noteCpu = () => {
    for (const pid of engine.pids) {
      const now = cpuSeconds(pid);
      cpu += now - (counted.get(pid) ?? now);
      counted.set(pid, now);
    }
  };
  noteCpu();
  return {
    async caption(samples) {
      const captions = await engine.caption(asSound(samples), { signal: never });
      noteCpu();
      soundSeconds += samples.length / 16_000;
      return captions;
    },
    takeUse() {
      noteCpu();
      const use = { soundSeconds, cpuSeconds: cpu };
      [soundSeconds, cpu] = [0, 0];
      return use;
    },
  };
}
