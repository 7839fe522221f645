export type RunLimited = <Result>(signal: AbortSignal, work: () => Promise<Result>) => Promise<Result>;

/** Limits how many calls run at once; the others wait in order. */
export function createConcurrencyLimit(places: number): RunLimited {
  const waiting: (() => void)[] = [];
  let taken = 0;

  const takePlace = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (taken < places) {
      taken += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const take = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.splice(waiting.indexOf(take), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.push(take);
    });
  };

  return async (signal, work) => {
    await takePlace(signal);
    try {
      return await work();
    } finally {
      // The slot goes to the call that has waited longest.
      const next = waiting.shift();
      if (next) next();
      else taken -= 1;
    }
  };
}
