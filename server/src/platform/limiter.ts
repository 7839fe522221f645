/** Does so much at once, lets some wait, and turns away the rest. */
export interface Limiter {
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface LimiterOptions {
  readonly atOnce: number;
  readonly waiting: number;
  /** What whoever is turned away is told. */
  readonly refuse: () => Error;
}

export function createLimiter({ atOnce, waiting, refuse }: LimiterOptions): Limiter {
  const queue: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running < atOnce) running += 1;
      else if (queue.length >= waiting) throw refuse();
      // Whoever ends hands its place on.
      else await new Promise<void>((resolve) => queue.push(resolve));
      try {
        return await work();
      } finally {
        const next = queue.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
