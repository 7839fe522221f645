/**
 * Does so much at once, lets some wait, and turns away the rest. Owners take turns: a free place goes to the next owner
 * who waits and has not got as many as an owner may have, to what that owner asked for first.
 */
export interface Limiter {
  /** Whoever waits and gives up by the signal leaves the queue. */
  run<Result>(ownerID: number, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
}

export interface LimiterOptions {
  readonly atOnce: number;
  /** Of these, how many one owner may have. */
  readonly perOwner: number;
  readonly waiting: number;
  readonly waitingPerOwner: number;
  /** What whoever is turned away is told: that they wait for too much themselves, or that everybody together does. */
  readonly refuse: (why: 'owner' | 'all') => Error;
}

interface Owner {
  running: number;
  readonly queue: Set<() => void>;
}

export function createLimiter(options: LimiterOptions): Limiter {
  const { atOnce, perOwner, refuse } = options;
  /** Those who have or want a place, in the order of their turns. */
  const owners = new Map<number, Owner>();
  let running = 0;
  let waiting = 0;

  /** Who got a place, and who gives one back, has their next turn after all others who wait. */
  function moveToEnd(ownerID: number, owner: Owner): void {
    owners.delete(ownerID);
    if (owner.running > 0 || owner.queue.size > 0) owners.set(ownerID, owner);
  }

  /** Gives free places to those whose turn it is. */
  function advance(): void {
    for (const [ownerID, owner] of owners) {
      if (running === atOnce) return;
      const [start] = owner.queue;
      if (start === undefined || owner.running >= perOwner) continue;
      owner.queue.delete(start);
      waiting -= 1;
      begin(ownerID, owner);
      start();
    }
  }

  function begin(ownerID: number, owner: Owner): void {
    running += 1;
    owner.running += 1;
    moveToEnd(ownerID, owner);
  }

  function waitForTurn(ownerID: number, owner: Owner, signal: AbortSignal | undefined): Promise<void> {
    if (owner.queue.size >= options.waitingPerOwner) throw refuse('owner');
    if (waiting >= options.waiting) throw refuse('all');
    owners.set(ownerID, owner);
    waiting += 1;
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        owner.queue.delete(start);
        waiting -= 1;
        if (owner.running === 0 && owner.queue.size === 0) owners.delete(ownerID);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', leave, { once: true });
      owner.queue.add(start);
    });
  }

  return {
    async run(ownerID, work, signal) {
      signal?.throwIfAborted();
      const owner = owners.get(ownerID) ?? { running: 0, queue: new Set() };
      // Whoever waits with a free place left has all the places that they may have.
      if (running < atOnce && owner.running < perOwner) begin(ownerID, owner);
      else await waitForTurn(ownerID, owner, signal);
      try {
        return await work();
      } finally {
        running -= 1;
        owner.running -= 1;
        moveToEnd(ownerID, owner);
        advance();
      }
    },
  };
}
