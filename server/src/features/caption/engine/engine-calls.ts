import type { CaptionEngine } from '../../../platform/listening/engine.ts';

/** Counts the calls of each engine, so that a long clip learns whether another one waits for its engine. */
export interface EngineCalls {
  run<Result>(engine: CaptionEngine, work: () => Promise<Result>): Promise<Result>;
  /** Whether the engine has more calls than it works on at once. */
  isAwaited(engine: CaptionEngine): boolean;
}

export function createEngineCalls(atOnce: number): EngineCalls {
  const counts = new Map<string, number>();
  const change = ({ identity }: CaptionEngine, by: 1 | -1) =>
    counts.set(identity.name, (counts.get(identity.name) ?? 0) + by);
  return {
    async run(engine, work) {
      change(engine, 1);
      try {
        return await work();
      } finally {
        change(engine, -1);
      }
    },
    isAwaited: ({ identity }) => (counts.get(identity.name) ?? 0) > atOnce,
  };
}
