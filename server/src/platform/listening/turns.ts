export type InTurn = <Result>(signal: AbortSignal, work: () => Promise<Result>) => Promise<Result>;

/** Lets only so many work at the same time; the others wait, whoever came first is first. */
export function createTurns(places: number): InTurn {
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
      // Whoever waits longest takes the place over.
      const next = waiting.shift();
      if (next) next();
      else taken -= 1;
    }
  };
}
